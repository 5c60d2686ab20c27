import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../support/service.js';

/** A workspace with the TypeScript that the generator needs. */
const TOOLS = 'tools/openapi';
const FOLDER = '.tmp/openapi-client';

const CHECKED = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    outDir: 'out',
  },
  include: ['program.ts'],
};

/** Where npm has put a package of that workspace. */
function packageOf(name: string): string {
  const own = resolve(TOOLS, 'node_modules', name);
  return existsSync(own) ? own : resolve('node_modules', name);
}

function run(script: string, given: readonly string[], options: ExecFileSyncOptions = {}): string {
  try {
    return String(execFileSync(process.execPath, [script, ...given], { stdio: 'pipe', ...options }));
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: Buffer; readonly stderr?: Buffer };
    throw new Error(`${script} failed:\n${String(stdout)}${String(stderr)}`, { cause: error });
  }
}

it('openapi-typescript makes a client of the document whose programs type-check and work', async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  cpSync(join(TOOLS, 'client/program.ts'), join(FOLDER, 'program.ts'));
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(CHECKED));
  mkdirSync(join(FOLDER, 'node_modules'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    symlinkSync(packageOf(name), join(FOLDER, 'node_modules', name));
  }
  const generator = join(packageOf('openapi-typescript'), 'bin/cli.js');
  run(generator, ['schemas/openapi.json', '--output', join(FOLDER, 'openapi.ts')]);
  const compiler = join(packageOf('typescript'), 'bin/tsc');
  expect(run(compiler, ['--version'])).toMatch(/^Version 5\./);
  run(compiler, ['-p', FOLDER]);

  const service = await startService();
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(FOLDER, 'out/program.js'),
      service.url,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      started: 'paused',
      state: { amount: 7, 'output.check': 'receipt' },
      titles: ['approve'],
      next: null,
      refused: 'invalid-request',
      decided: 'completed',
      unknown: [404, 'unknown-run'],
      healthy: true,
    });
  } finally {
    await service.close();
  }
}, 60_000);

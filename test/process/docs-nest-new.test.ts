import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { blocksOf, readPage, sectionOf } from '../docs/support/page-blocks.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { testedPackage } from '../support/tested-package.js';

const PAGE = readPage('docs/nestjs.md');
const FOLDER = '.tmp/nest-new';
const WITHIN_MS = 240_000;
const run = promisify(execFile);

/** The files of the five minutes, but for `main.ts`: the project has one. */
const files = [
  ...sectionOf(PAGE, '## Five minutes').matchAll(/^```(?:ts|yaml)\n(?:\/\/|#) (src\/\S+)\n([^]*?)^```$/gm),
]
  .map(([, path = '', text = '']) => ({ path, text }))
  .filter(({ path }) => path !== 'src/main.ts');

/** In the place of the URL, as the page says for CommonJS. */
const inCommonJs = (text: string): string =>
  text.includes('import.meta.url')
    ? `import { join } from 'node:path';\n${text.replace("new URL('order.yaml', import.meta.url)", "join(__dirname, 'order.yaml')")}`
    : text;

let app: ChildProcess | null = null;

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(`${FOLDER}/node_modules`, { recursive: true });
  symlinkSync(testedPackage(), `${FOLDER}/node_modules/flowgate`, 'junction');
}, WITHIN_MS);
afterEach(() => app?.kill('SIGKILL'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** What `nest new` writes where that kind is chosen, without installing anything. */
async function generate(kind: 'cjs' | 'esm'): Promise<string> {
  const schematics = resolve('node_modules/.bin/schematics');
  const options = [`--name=${kind}`, `--type=${kind}`, '--language=ts', '--package-manager=npm'];
  await run(schematics, ['@nestjs/schematics:application', ...options, '--no-interactive', '--no-dry-run'], {
    cwd: FOLDER,
  });
  return join(FOLDER, kind);
}

describe.each([
  ['cjs', 'jest', inCommonJs],
  ['esm', 'vitest', (text: string) => text],
] as const)('a project of `nest new` (%s)', (kind, runner, adapted) => {
  it(
    'has the tests that the page names, and runs the five minutes after the steps of the page',
    async () => {
      const project = await generate(kind);
      const { type = 'commonjs', devDependencies } = JSON.parse(
        readFileSync(`${project}/package.json`, 'utf8'),
      ) as { readonly type?: string; readonly devDependencies: object };
      expect([type, Object.keys(devDependencies)]).toEqual([
        kind === 'cjs' ? 'commonjs' : 'module',
        expect.arrayContaining([runner]),
      ]);
      const [ofCli] = blocksOf(sectionOf(PAGE, '## From what `nest new` makes')).filter(
        (block) => block.kind === 'json',
      );
      const generated = JSON.parse(readFileSync(`${project}/nest-cli.json`, 'utf8')) as {
        readonly compilerOptions: object;
      };
      const { compilerOptions, ...others } = JSON.parse(ofCli?.text ?? '') as {
        readonly compilerOptions: { readonly assets: readonly string[] };
      };
      const { assets, ...kept } = compilerOptions;
      expect({ ...others, compilerOptions: kept }).toEqual(generated);

      for (const { path, text } of files) {
        mkdirSync(dirname(join(project, path)), { recursive: true });
        writeFileSync(join(project, path), adapted(text));
      }
      const tsc = resolve('node_modules/typescript/bin/tsc');
      // Types are checked with the other snippets of the page; the package under test has none.
      const options = ['--noCheck', '--types', 'node'];
      await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...options], { cwd: project });
      for (const asset of globSync(assets, { cwd: join(project, 'src') }))
        cpSync(join(project, 'src', asset), join(project, 'dist', asset));

      const port = String(await freePort());
      const env = { ...process.env, NODE_OPTIONS: '', PORT: port };
      const started = spawn(process.execPath, ['dist/main.js'], {
        cwd: project,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      app = started;
      const order = async (): Promise<unknown> => {
        const response = await fetch(`http://127.0.0.1:${port}/orders`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"item": "lamp"}',
        });
        return response.json();
      };
      const answer = await eventually(
        () => order().catch(() => delay(50, null)),
        (got) => got !== null || started.exitCode !== null,
        { withinMs: 120_000, what: 'an application that answers' },
      );
      expect(answer).toEqual({ runId: expect.any(String), status: 'paused' });
      // What the page says first: the service's own pages are not there.
      for (const path of [
        '/docs',
        '/openapi.json',
        '/flowgate/docs',
        '/flowgate/openapi.json',
        '/flowgate/console/',
      ])
        expect([path, (await fetch(`http://127.0.0.1:${port}${path}`)).status]).toEqual([path, 404]);
      const ended = once(started, 'close');
      started.kill('SIGTERM');
      await ended;
    },
    WITHIN_MS,
  );
});

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { DynamicModule } from '@nestjs/common';
import { FlowgateModule } from '../../src/index.js';
import { blocksOf, readPage } from '../docs/support/page-blocks.js';
import { ADAPTERS, startHostService } from '../support/host.js';
import { testedPackage } from '../support/tested-package.js';

const FOLDER = '.tmp/hosts-pages';
const WITHIN_MS = 120_000;
const TSC = 'node_modules/typescript/bin/tsc';
const run = promisify(execFile);

const snippetsOf = (page: string): readonly string[] =>
  blocksOf(readPage(page))
    .filter(({ kind }) => kind === 'ts')
    .map(({ text }) => text);
const [asking = '', knownUsers = '', ...otherOfAccess] = snippetsOf('docs/access.md');
const [withConsole = '', ...otherOfConsole] = snippetsOf('docs/console.md');

/** What a snippet stands in, where it is only the module that somebody imports. */
const hostOf = (module: string, before = ''): string => `
  import { Module } from '@nestjs/common';
  import { FlowgateModule, SqliteRunStore } from 'flowgate';
  ${before}
  @Module({ imports: [${module.trim().replace(/;$/, '')}] })
  export class AppModule {}`;

/** What the page leaves to its reader. */
const OF_THE_READER = `
  const store = new SqliteRunStore({ folder: 'data' });
  const bootstrapKeySha256 = 'ab'.repeat(32);
  const issuer = 'http://127.0.0.1:9/realms/none';
  const accessFile = 'access.json';`;

function compile(compilerOptions: object): string {
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: {
      noEmit: false,
      allowImportingTsExtensions: false,
      types: ['node'],
      ...compilerOptions,
    },
    include: ['src'],
    exclude: [],
  };
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(config));
  try {
    return execFileSync(process.execPath, [TSC, '-p', `${FOLDER}/tsconfig.json`], { encoding: 'utf8' });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

/** Boots a module, with a guard of the host's that knows Ann, and asks it for each path: as nobody, and as Ann. */
async function statusesOf(file: string, name: string, paths: readonly string[]): Promise<unknown> {
  const script = `
    import { NestFactory } from '@nestjs/core';
    import * as page from './dist/${file}.js';
    const app = await NestFactory.create(page.${name}, { logger: false });
    app.use((request, response, next) => {
      const { 'x-user': email } = request.headers;
      if (email !== undefined) request.user = { email, isAdmin: email === 'ann@example.com' };
      next();
    });
    await app.listen(0, '127.0.0.1');
    const get = async (path, headers) => (await fetch(await app.getUrl() + path, { headers })).status;
    const said = [];
    for (const path of ${JSON.stringify(paths)})
      said.push([await get(path, {}), await get(path, { 'x-user': 'ann@example.com' })]);
    console.log(JSON.stringify(said));
    await app.close();`;
  writeFileSync(`${FOLDER}/ask.mjs`, script);
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await run(process.execPath, ['ask.mjs'], { cwd: FOLDER, env });
  return JSON.parse(stdout) as unknown;
}

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const folder of ['src/snippets', 'node_modules', 'workflows', 'data'])
    mkdirSync(`${FOLDER}/${folder}`, { recursive: true });
  writeFileSync(`${FOLDER}/package.json`, '{ "type": "module" }');
  writeFileSync(`${FOLDER}/access.json`, '{ "grants": [] }');
  symlinkSync(testedPackage(), `${FOLDER}/node_modules/flowgate`, 'junction');
  writeFileSync(`${FOLDER}/src/asking.module.ts`, hostOf(asking, OF_THE_READER));
  writeFileSync(`${FOLDER}/src/console.module.ts`, hostOf(withConsole).replace(', SqliteRunStore', ''));
  const [, file = ''] = /^\/\/ (src\/\S+)\n/.exec(knownUsers) ?? [];
  writeFileSync(`${FOLDER}/${file}`, knownUsers);
}, WITHIN_MS);
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe('the snippets of the pages of access and of the console', () => {
  it(
    'are these, and compile, strictly',
    () => {
      expect([otherOfAccess, otherOfConsole]).toEqual([[], []]);
      const paths = {
        flowgate: ['../../src/index.ts'],
        'flowgate-client': ['../../clients/typescript/src/index.ts'],
      };
      expect(compile({ noEmit: true, rootDir: '../..', paths })).toBe('');
      expect(compile({ rootDir: 'src', outDir: 'dist', paths: {}, noCheck: true })).toBe('');
    },
    WITHIN_MS,
  );

  it(
    'ask who is asking, and know the users of a host, as the page says',
    async () => {
      const open = ['/flowgate/health/live', '/flowgate/runs'];
      expect(await statusesOf('asking.module', 'AppModule', open)).toEqual([
        [200, 200],
        [401, 401],
      ]);
      // It is the host that knows Ann.
      expect(await statusesOf('snippets/known-users.module', 'KnownUsersModule', open)).toEqual([
        [200, 200],
        [401, 200],
      ]);
    },
    WITHIN_MS,
  );

  it.each(ADAPTERS)('serve the console on %s', async (adapter) => {
    // The package that is tested goes without the console's files: here a host is made of the sources, which have them.
    const moduleOf = new Function('FlowgateModule', `return ${withConsole}`) as (
      module: typeof FlowgateModule,
    ) => DynamicModule;
    const service = await startHostService({ adapter, imports: [moduleOf(FlowgateModule)] });
    const { status, text } = await service.get('/console/');
    await service.close();
    expect([status, text.includes('<div id="console">')]).toEqual([200, true]);
  });
});

import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { testedPackage } from '../support/tested-package.js';
import { freePort } from '../support/free-port.js';
import { blocksOf, readPage, sectionOf } from '../docs/support/page-blocks.js';

const PAGE = readFileSync('docs/nestjs.md', 'utf8');
const FOLDER = '.tmp/nestjs-page';
const WITHIN_MS = 120_000;
const TSC = 'node_modules/typescript/bin/tsc';
const run = promisify(execFile);

/** The files of the page: a snippet says in its first line which it is. */
const files = [...PAGE.matchAll(/^```(?:ts|yaml)\n(?:\/\/|#) (src\/\S+)\n([^]*?)^```$/gm)].map(
  ([, path = '', text = '']) => ({ path, text }),
);

/** README shows the same in short. */
const README_BLOCKS = blocksOf(sectionOf(readPage('README.md'), '## Three ways in'))
  .filter(({ kind, text }) => kind === 'ts' && text.includes('@nestjs/common'))
  .map(({ text }) => text);
beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(`${FOLDER}/node_modules`, { recursive: true });
  writeFileSync(`${FOLDER}/package.json`, '{ "type": "module" }');
  symlinkSync(testedPackage(), `${FOLDER}/node_modules/flowgate`, 'junction');
  for (const { path, text } of files) {
    for (const folder of [FOLDER, `${FOLDER}/${path.endsWith('.yaml') ? 'dist' : ''}`]) {
      const target = join(folder, folder.endsWith('dist') ? path.replace('src/', '') : path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
  mkdirSync(`${FOLDER}/src/readme`);
  for (const [index, text] of README_BLOCKS.entries())
    writeFileSync(`${FOLDER}/src/readme/${index}.ts`, text);
}, WITHIN_MS);
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

function canConnect(port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** What the compiler says against a project that is as strict as this one. */
function compile(name: string, compilerOptions: object): string {
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
  writeFileSync(`${FOLDER}/${name}.json`, JSON.stringify(config));
  try {
    return execFileSync(process.execPath, [TSC, '-p', `${FOLDER}/${name}.json`], { encoding: 'utf8' });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

/** Boots a module of the page, and asks it for what the expression says. */
async function ask(module: string, name: string, expression: string): Promise<unknown> {
  const script = `
    import { VersioningType } from '@nestjs/common';
    import { NestFactory } from '@nestjs/core';
    import * as page from './dist/snippets/${module}.js';
    const app = await NestFactory.create(page.${name}, { logger: false });
    app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    await app.listen(0, '127.0.0.1');
    const get = async (path, headers = {}) => (await fetch(await app.getUrl() + path, { headers })).status;
    console.log(JSON.stringify(await (${expression})));
    await app.close();`;
  writeFileSync(`${FOLDER}/ask-${module}.mjs`, script);
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    FLOWGATE_FOLDER: 'runs',
    BOOTSTRAP_SHA256: 'ab'.repeat(32),
  };
  const { stdout } = await run(process.execPath, [`ask-${module}.mjs`], { cwd: FOLDER, env });
  return JSON.parse(stdout) as unknown;
}

describe('the application of the page', () => {
  let app: ChildProcess | null = null;
  afterAll(() => app?.kill('SIGKILL'));

  it('has all its files, and no snippet that is none of them', () => {
    expect(PAGE.match(/^```(ts|yaml)$/gm)).toHaveLength(files.length);
    expect(files).toHaveLength(14);
  });

  it(
    'compiles, strictly',
    () => {
      const paths = {
        flowgate: ['../../src/index.ts'],
        'flowgate-client': ['../../clients/typescript/src/index.ts'],
      };
      expect(README_BLOCKS).toHaveLength(1);
      expect(compile('check', { noEmit: true, rootDir: '../..', paths })).toBe('');
      expect(compile('build', { rootDir: 'src', outDir: 'dist', paths: {}, noCheck: true })).toBe('');
    },
    WITHIN_MS,
  );

  it(
    'places an order, waits for approval, and confirms it, by the commands of the page',
    async () => {
      const port = String(await freePort());
      const env = { ...process.env, NODE_OPTIONS: '', PORT: port };
      app = spawn(process.execPath, ['dist/main.js'], {
        cwd: FOLDER,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const ended = once(app, 'close');
      // Nest says that it has started before it listens.
      while (!(await canConnect(port)) && app.exitCode === null) await delay(20);
      const [place = '', approve = ''] = PAGE.match(/^curl .*$/gm) ?? [];
      const paste = async (line: string) =>
        JSON.parse((await run('sh', ['-c', line.replace(':3000', `:${port}`)])).stdout);
      const placed = await paste(place);
      expect(placed).toEqual({ runId: expect.any(String), status: 'paused' });
      const confirmed = await paste(approve.replace('RUN_ID', placed.runId));
      expect(confirmed).toMatchObject({
        status: 'completed',
        result: { state: { 'output.reserve': { left: 1 } } },
      });
      expect(confirmed.result.state['output.confirm']).toMatch(/^confirmed as /);
      app.kill('SIGTERM');
      await ended;
    },
    WITHIN_MS,
  );

  it(
    'may be configured, have two instances, a guard and a health check as the page says',
    async () => {
      expect(await ask('configured.module', 'ConfiguredModule', "get('/flows/health')")).toBe(200);
      const two =
        "Promise.all(['/flowgate/health', '/reports/flows/health', '/flowgate/mcp', '/reports/flows/mcp'].map((path) => get(path)))";
      // Only the first has the gateway, which wants another method.
      expect(await ask('two.module', 'TwoModule', two)).toEqual([200, 200, 405, 404]);
      const guarded =
        "Promise.all([get('/flowgate/health'), get('/flowgate/health', { authorization: 'Bearer token-of-ann' })])";
      expect(await ask('guarded.module', 'GuardedModule', guarded)).toEqual([403, 200]);
      const known =
        "Promise.all([get('/v1/refunds'), get('/v1/refunds', { authorization: 'Bearer nobody' }), get('/flowgate/health')])";
      expect(await ask('known.module', 'KnownModule', known)).toEqual([401, 401, 200]);
      expect(await ask('watched.module', 'WatchedModule', "get('/v1/health')")).toBe(200);
    },
    WITHIN_MS,
  );
});

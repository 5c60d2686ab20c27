import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as flowgateClient from 'flowgate-client';
import { OPTIONS } from '../../clients/typescript/src/options/option-names.js';
import { DEFAULTS } from '../../clients/typescript/src/defaults.js';
import { checkedRetries } from '../../clients/typescript/src/remote/retry.js';
import { startService, type Service } from '../support/service.js';
import { startUnitServer } from '../support/unit-server.js';

const PAGE = readFileSync('docs/typescript.md', 'utf8');
const FOLDER = '.tmp/typescript-page';
const ADDRESS = 'http://127.0.0.1:8787';
const UNIT = 'http://127.0.0.1:9000/';
/** The documents of the other pages that this one refers to. */
const documentOf = (page: string, name: string): string =>
  new RegExp(`cat > ${name} <<'YAML'\\n([^]*?)^YAML$`, 'm').exec(readFileSync(page, 'utf8'))?.[1] ?? '';
/** Where the page has a token. */
const TOKEN_FILE = '/run/secrets/flowgate';
const run = promisify(execFile);

/** A service that asks who is asking, and somebody's key in the folder of the programs. */
async function serviceWithKeys(): Promise<{ readonly service: Service }> {
  const bootstrap = randomBytes(32).toString('base64');
  const sha256 = createHash('sha256').update(bootstrap).digest('hex');
  const service = await startService({ FLOWGATE_AUTH: 'keys', FLOWGATE_BOOTSTRAP_KEY_SHA256: sha256 });
  const first = new flowgateClient.FlowgateClient({ baseUrl: service.url, token: bootstrap });
  const grants = [{ namespace: 'billing', roles: ['operator', 'admin'] }];
  const { secret } = await first.makeKey({ owner: 'ann@example.com', grants });
  writeFileSync(`${FOLDER}/token`, `${secret}\n`);
  return { service };
}

/** The snippets as programs: one that imports the client begins anew, every other continues it. */
const programs = [...PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)]
  .map(([, code = '']) => code)
  .reduce<string[]>((all, code) => {
    if (/import \{ FlowgateClient \}/.test(code)) return [...all, code];
    return [...all.slice(0, -1), `${all.at(-1)}\n${code}`];
  }, []);

/** The rows below the heading of the table whose first cell is this, as cells. */
function table(first: string, nth = 0): readonly (readonly string[])[] {
  const tables = PAGE.split(/\n\n/).filter((block) => new RegExp(`^\\| ${first} +\\|`).test(block));
  return (tables[nth] ?? '')
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
const code = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? '');
const firstCodes = (rows: readonly (readonly string[])[]) => rows.flatMap(([cell]) => code(cell));

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  const packages = `${FOLDER}/node_modules`;
  mkdirSync(packages, { recursive: true });
  const compiler = 'node_modules/typescript/bin/tsc';
  const quick = ['--noCheck', '--sourceMap', 'false', '--declaration', 'false'];
  execFileSync(process.execPath, ['clients/typescript/build.mjs', '--js'], { stdio: 'pipe' });
  // Copies, not links: of a link Node looks for packages where it leads.
  for (const part of ['package.json', 'dist', 'schemas']) {
    cpSync(`clients/typescript/${part}`, `${packages}/flowgate-client/${part}`, { recursive: true });
  }
  const out = ['--outDir', `${packages}/flowgate/dist`];
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', ...quick, ...out], {
    stdio: 'pipe',
  });
  for (const part of ['package.json', 'schemas'])
    cpSync(part, `${packages}/flowgate/${part}`, { recursive: true });
  // Without one of its own the folder belongs to this package, and `flowgate` would be the build that may be missing.
  writeFileSync(`${FOLDER}/package.json`, '{ "type": "module" }');
  writeFileSync(`${FOLDER}/hello.yaml`, documentOf('README.md', 'hello.yaml'));
  writeFileSync(`${FOLDER}/greeting.yaml`, documentOf('docs/first-steps.md', 'greeting.yaml'));
}, 60_000);
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe('the snippets of the page', () => {
  it('are all that it has', () => {
    expect(programs).toHaveLength(4);
    expect(PAGE.match(/^```ts/gm)).toHaveLength(12);
  });

  it('compile', () => {
    programs.forEach((text, i) => writeFileSync(`${FOLDER}/checked-${i}.ts`, text));
    const up = '../..';
    const compilerOptions = {
      rootDir: up,
      paths: {
        flowgate: [`${up}/src/index.ts`],
        'flowgate/engine': [`${up}/src/engine/index.ts`],
        'flowgate-client': [`${up}/clients/typescript/src/index.ts`],
      },
      noUnusedLocals: false,
    };
    const config = {
      extends: `${up}/tsconfig.json`,
      compilerOptions,
      include: ['checked-*.ts'],
      exclude: [],
    };
    writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(config));
    const check = (): string => {
      try {
        return execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', FOLDER], {
          encoding: 'utf8',
        });
      } catch (error) {
        return (error as { readonly stdout: string }).stdout;
      }
    };
    expect(check()).toBe('');
  }, 60_000);

  it('run, and print what they should', async () => {
    const service = await startService({ FLOWGATE_SECRET_GREET: 'hush' });
    const unit = await startUnitServer(({ body }) => {
      const { input } = JSON.parse(body) as { readonly input: { readonly name: string } };
      return { body: { content: `Hello, ${input.name}!` } };
    });
    const known = await serviceWithKeys();
    const printed: string[] = [];
    for (const [i, text] of programs.entries()) {
      const { url } = text.includes(TOKEN_FILE) ? known.service : service;
      const here = text.replaceAll(ADDRESS, url).replaceAll(UNIT, `${unit.url}/`);
      writeFileSync(`${FOLDER}/run-${i}.ts`, here.replaceAll(TOKEN_FILE, 'token'));
      const { stdout } = await run(process.execPath, [`run-${i}.ts`], { cwd: FOLDER, timeout: 30_000 });
      printed.push(stdout);
    }
    await unit.close();
    await service.close();
    await known.service.close();
    expect(printed[0]).toContain("paused { name: 'Ada', 'output.greet': 'Hello, Ada!' }");
    const lines = printed[0]!.split('\n');
    for (const line of [
      'true hello',
      '2:7 kind must be `Workflow`, not `Workflw`',
      String('Hello, Ada!'.length),
      'completed',
      'hitl-response',
      'running',
      '400 invalid-request',
      'Send "Hello, Eve!"? null',
      'approve true',
      'run.started ',
      'unit.scheduled greet',
      'gate.decided approve',
      'run.completed ',
      'paused Hello, Mallory!',
      'flowgate-run/1',
      '500 Unknown workflow: no-such-workflow',
    ]) {
      expect(lines.find((one) => one.startsWith(line)) ?? printed[0]).toContain(line);
    }
    expect(printed[1]).toBe('ann@example.com billing\ntrue ann@example.com\n');
    expect(printed[2]).toBe('Hello, Ada!\n');
    expect(printed[3]).toBe('{ ok: true, workflows: [] }\n');
  }, 90_000);
});

/** What all calls have, so that the rows of the page do without. */
const OF_ALL = ['signal', 'timeoutMs'];
/** Calls that read on from page to page take what their pages do, and stand in one row with them. */
const PAGERS: Readonly<Record<string, string>> = {
  listRuns: 'eachRun',
  listGates: 'eachGate',
  listVersions: 'eachVersion',
  listKeys: 'eachKey',
  listAudit: 'eachAct',
};
const { FlowgateClient: OF_CLIENT, retries: OF_RETRIES, ...OF_CALLS } = OPTIONS;

function rowsOfCalls(): Readonly<Record<string, readonly string[]>> {
  const rows = Object.entries(OF_CALLS).map(([call, names]): readonly [string, readonly string[]] => [
    call in PAGERS ? `${call}, ${PAGERS[call]}` : call,
    Object.keys(names).filter((name) => !OF_ALL.includes(name)),
  ]);
  // It reads from the oldest on.
  const eachEvent = Object.keys(OF_CALLS.getEvents).filter((name) => ![...OF_ALL, 'tail'].includes(name));
  return Object.fromEntries([...rows, ['eachEvent', eachEvent]]);
}

describe('the tables of the page', () => {
  it('have every method of the client with its arguments, and no other', () => {
    const source = readFileSync('clients/typescript/src/flowgate-client.ts', 'utf8');
    const methods = Object.getOwnPropertyNames(flowgateClient.FlowgateClient.prototype)
      .filter((name) => name !== 'constructor')
      .map((name) => {
        const [, list = ''] =
          new RegExp(`^  (?:async )?${name}(?:<[^(]*>)?\\(([^)]*)\\)`, 'm').exec(source) ?? [];
        const names = [...list.matchAll(/(?:^|,)\s*(\w+)\??\s*[:=]/g)].map(([, parameter]) => parameter);
        return `${name}(${names.join(', ')})`;
      });
    expect(methods.length).toBeGreaterThan(10);
    expect(firstCodes(table('method'))).toEqual(methods);
  });

  it('have every option of the client, with its default', () => {
    const rows = table('option');
    expect(firstCodes(rows)).toEqual(Object.keys(OF_CLIENT));
    const said = Object.fromEntries(rows.map(([name, value]) => [code(name)[0], code(value)[0]]));
    expect(said).toMatchObject({
      timeoutMs: String(DEFAULTS.timeoutMs),
      apiGroups: DEFAULTS.apiGroups.join(', '),
      maxResponseBytes: String(DEFAULTS.maxResponseBytes),
    });
  });

  it('have every option of the tries, with its default', () => {
    const rows = table('option', 1);
    expect(firstCodes(rows)).toEqual(Object.keys(OF_RETRIES));
    const said = rows.map(([name, value]) => [code(name)[0], Number(code(value)[0])]);
    expect(Object.fromEntries(said)).toEqual(checkedRetries());
  });

  it('have every option of the calls', () => {
    const sorted = (rows: Iterable<readonly [string, readonly string[]]>) =>
      Object.fromEntries([...rows].map(([call, names]) => [call, names.toSorted()]));
    expect(sorted(table('call').map(([name, own]) => [code(name).join(', '), code(own)]))).toEqual(
      sorted(Object.entries(rowsOfCalls())),
    );
    for (const name of OF_ALL) expect(PAGE).toContain(`\`${name}\``);
  });

  it('have every error with its fields', () => {
    const errors = Object.keys(flowgateClient).filter((name) => name.endsWith('Error'));
    const rows = table('error');
    expect([...firstCodes(rows), 'FlowgateClientError'].toSorted()).toEqual(errors.toSorted());
    const made = {
      FlowgateApiError: new flowgateClient.FlowgateApiError({ status: 500, error: 'x' }),
      FlowgateValidationError: new flowgateClient.FlowgateValidationError({
        status: 400,
        error: 'x',
        faults: [{ path: '', line: 1, column: 1, message: 'x' }],
      }),
      FlowgateUnreachableError: new flowgateClient.FlowgateUnreachableError('x', { cause: 'y' }),
      FlowgateWaitTimeoutError: new flowgateClient.FlowgateWaitTimeoutError(1, null),
    };
    const ofApi = new Set(Object.keys(made.FlowgateApiError));
    for (const [name, error] of Object.entries(made)) {
      expect(error).toBeInstanceOf(flowgateClient.FlowgateClientError);
      const fields = rows.find(([cell]) => code(cell)[0] === name)?.[2] ?? '';
      const own = Object.getOwnPropertyNames(error).filter(
        (field) => !['name', 'message', 'stack'].includes(field),
      );
      const expected = name === 'FlowgateValidationError' ? own.filter((field) => !ofApi.has(field)) : own;
      for (const field of expected) expect(`${name}: ${fields}`).toContain(`\`${field}\``);
      for (const field of code(fields.split(':')[0])) expect(own).toContain(field);
    }
    expect(code(rows[1]?.[2]).slice(1)).toEqual(Object.keys(made.FlowgateValidationError.faults[0]!));
  });
});

it('the schema that editors use is in the package', () => {
  const [, path = ''] = /\$schema=\.\/node_modules\/flowgate-client\/(\S+)/.exec(PAGE) ?? [];
  const { exports, files } = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8'));
  expect(exports).toHaveProperty([`./${path}`], `./${path}`);
  expect(files).toContain(path.split('/')[0]);
  const shipped = readFileSync(`${FOLDER}/node_modules/flowgate-client/${path}`, 'utf8');
  expect(shipped).toBe(readFileSync('schemas/workflow.v1.schema.json', 'utf8'));
});

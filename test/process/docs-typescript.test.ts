import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as flowgateClient from 'flowgate-client';
import type * as options from 'flowgate-client';
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

/** The compiler sees to it that these are all fields, and no other. */
type AllOf<T> = { readonly [K in keyof T]-?: true };
const CLIENT: AllOf<options.FlowgateClientOptions> = {
  baseUrl: true,
  fetch: true,
  headers: true,
  token: true,
  namespace: true,
  timeoutMs: true,
  retries: true,
  apiGroups: true,
  maxResponseBytes: true,
  engine: true,
  engineOptions: true,
};
const RETRIES: AllOf<options.RetryOptions> = {
  count: true,
  baseMs: true,
  maxMs: true,
  maxRetryAfterMs: true,
  renewAfterMs: true,
};
const COMMON: AllOf<options.CallOptions> & AllOf<options.WaitOptions> = { signal: true, timeoutMs: true };
type Own<T> = AllOf<Omit<T, keyof options.CallOptions>>;
const FORK: Own<options.ForkOptions> = {
  from: true,
  input: true,
  state: true,
  unitInput: true,
  definition: true,
  labels: true,
  sync: true,
  syncUntil: true,
  idempotencyKey: true,
};
const RUNS: AllOf<options.RunFilter> & { readonly limit: true } = {
  workflowId: true,
  status: true,
  labels: true,
  createdAfter: true,
  createdBefore: true,
  openGate: true,
  gateUnit: true,
  cancelled: true,
  origin: true,
  forkedFrom: true,
  parent: true,
  definitionHash: true,
  idPrefix: true,
  limit: true,
};
const GATES: AllOf<options.GateFilter> & { readonly limit: true } = {
  status: true,
  workflowId: true,
  limit: true,
};
const EVENTS: Own<Omit<options.EventsOptions, 'tail'>> = { afterSeq: true, limit: true, view: true };
const PAGES: Own<options.PageOptions> = { limit: true, cursor: true };
const WATCH: Own<options.WatchBounds> = { maxSilenceMs: true };
const STOP: Own<options.StopOptions> = { by: true, idempotencyKey: true };
const CALLS: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  loadAndRegister: {},
  startWorkflow: {
    labels: true,
    sync: true,
    syncUntil: true,
    idempotencyKey: true,
  } satisfies Own<options.StartOptions>,
  startBatch: {},
  getRun: { view: true } satisfies Own<options.GetRunOptions>,
  getRunById: { view: true } satisfies Own<options.GetRunOptions>,
  resume: { budget: true, syncUntil: true, idempotencyKey: true } satisfies Own<options.ResumeOptions>,
  cancel: STOP,
  pause: STOP,
  compensate: STOP,
  fork: FORK,
  respondHITL: {
    gateId: true,
    comment: true,
    syncUntil: true,
    idempotencyKey: true,
  } satisfies Own<options.RespondOptions>,
  waitForRun: {},
  getMessages: { after: true, cursor: true, limit: true } satisfies Own<options.MessagesOptions>,
  'listRuns, eachRun': { ...RUNS, cursor: true } satisfies Own<options.ListRunsOptions>,
  watchRuns: { ...RUNS, ...WATCH } satisfies Own<options.WatchRunsOptions>,
  'listGates, eachGate': { ...GATES, cursor: true } satisfies Own<options.ListGatesOptions>,
  watchGates: { ...GATES, ...WATCH } satisfies Own<options.WatchGatesOptions>,
  getEvents: { ...EVENTS, tail: true } satisfies Own<options.EventsOptions>,
  eachEvent: EVENTS,
  getEvent: { view: true } satisfies Own<options.EventOptions>,
  watchRun: { afterSeq: true, view: true, ...WATCH } satisfies Own<options.WatchRunOptions>,
  listSnapshots: PAGES,
  getSnapshot: {},
  watchAll: { after: true, ...WATCH } satisfies Own<options.WatchAllOptions>,
  exportRun: WATCH,
  importRun: {},
  listWorkflows: {},
  deleteWorkflow: {},
  getWorkflow: { hash: true } satisfies Own<options.GetWorkflowOptions>,
  'listVersions, eachVersion': PAGES,
  diffVersions: {},
  validateOnService: {},
  searchMemory: {},
  health: {},
  whoami: {},
  makeKey: {
    owner: true,
    name: true,
    groups: true,
    grants: true,
    expiresAt: true,
  } satisfies Own<options.MakeKeyOptions>,
  'listKeys, eachKey': { owner: true, limit: true, cursor: true } satisfies Own<options.ListKeysOptions>,
  rotateKey: { overlapMs: true } satisfies Own<options.RotateKeyOptions>,
  revokeKey: {},
  revokeOwner: {},
  'listAudit, eachAct': {
    owner: true,
    action: true,
    runId: true,
    after: true,
    before: true,
    limit: true,
    cursor: true,
  } satisfies Own<options.ListAuditOptions>,
};

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
    expect(firstCodes(rows)).toEqual(Object.keys(CLIENT));
    const said = Object.fromEntries(rows.map(([name, value]) => [code(name)[0], code(value)[0]]));
    expect(said).toMatchObject({
      timeoutMs: String(DEFAULTS.timeoutMs),
      apiGroups: DEFAULTS.apiGroups.join(', '),
      maxResponseBytes: String(DEFAULTS.maxResponseBytes),
    });
  });

  it('have every option of the tries, with its default', () => {
    const rows = table('option', 1);
    expect(firstCodes(rows)).toEqual(Object.keys(RETRIES));
    const said = rows.map(([name, value]) => [code(name)[0], Number(code(value)[0])]);
    expect(Object.fromEntries(said)).toEqual(checkedRetries());
  });

  it('have every option of the calls', () => {
    const said = table('call').map(([name, own]) => [code(name).join(', '), code(own).toSorted()]);
    const known = Object.entries(CALLS).map(([name, own]) => [name, Object.keys(own).toSorted()]);
    expect(said).toEqual(known);
    for (const name of Object.keys(COMMON)) expect(PAGE).toContain(`\`${name}\``);
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

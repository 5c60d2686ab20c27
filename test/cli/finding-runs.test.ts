import { readFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { flowgate, type Ended } from './support/built-cli.js';
import { folderWith } from './support/folder.js';

const RUN = '01a1f0c2-7c1e-7000-8000-000000000000';
const NDJSON = { 'content-type': 'application/x-ndjson' };
const EXPORT = [
  '{"format":"flowgate-run/1"}',
  '{"type":"run-started"}',
  '{"lastSeq":1,"sha256":"x"}',
  '',
].join('\n');
const item = (runId: string, more: object = {}) => ({
  runId,
  workflowId: 'hello',
  status: 'paused',
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  cancelled: false,
  error: null,
  waitingFor: 'gate',
  openGates: [{ gateId: 4, unitId: 'approve', title: 'Send\nit?', openedAt: 1 }],
  ...more,
});
const failed = item('b', { status: 'failed', error: 'no way', waitingFor: null, openGates: [] });

let server: UnitServer;
const folder = folderWith({ 'input.json': { name: 'Bob' } });
const at = (name: string): string => join(folder.path, name);

beforeEach(async () => {
  server = await startUnitServer();
});
afterEach(() => server.close());
afterAll(() => folder.remove());

const ask = (...args: string[]): Promise<Ended> => flowgate(args, { env: { FLOWGATE_SERVER: server.url } });
const urls = (): readonly string[] => server.requests.map(({ url }) => url);

describe('flowgate runs', () => {
  it('shows the matching runs, page by page, up to the limit', async () => {
    const pages = [
      { items: [item('a')], next: 'x' },
      { items: [failed, item('c')], next: 'y' },
    ];
    server.answer(() => ({ body: pages.shift() }));
    const { code, stdout, stderr } = await ask('runs', '--limit', '2');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'RUN  WORKFLOW  STATUS  CREATED',
      'a    hello     paused  2026-09-21T14:13:20Z  waits for a decision at approve: Send it?',
      'b    hello     failed  2026-09-21T14:13:20Z  no way',
      '',
    ]);
    expect(urls()).toEqual(['/runs?limit=2', '/runs?limit=2&cursor=x']);
  });

  it('finds them by all that is known of them', async () => {
    server.answer({ body: { items: [], next: null } });
    const options =
      '--workflow hello --status failed,paused --label team:blue --label k=v --created-after 2026-11-01T00:00:00Z ' +
      '--created-before 1800000000000 --open-gate --gate-unit approve --cancelled=false --origin fork --forked-from q --parent p ' +
      '--definition h --id 01a1';
    const { code, stdout, stderr } = await ask('runs', ...options.split(' '));
    expect([code, stdout, stderr]).toEqual([0, '', 'Nothing was found.\n']);
    const { searchParams } = new URL(urls()[0] ?? '', 'http://x');
    expect([...searchParams]).toEqual(
      Object.entries({
        workflowId: 'hello',
        createdAfter: '1793491200000',
        createdBefore: '1800000000000',
        openGate: 'true',
        gateUnit: 'approve',
        cancelled: 'false',
        origin: 'fork',
        forkedFrom: 'q',
        parent: 'p',
        definitionHash: 'h',
        limit: '50',
        status: 'failed,paused',
      }).concat([
        ['label', 'team:blue'],
        ['label', 'k:v'],
        ['id', '01a1'],
      ]),
    );
  });

  it('prints a line of JSON each for programs', async () => {
    server.answer({ body: { items: [item('a'), failed], next: null } });
    const { stdout } = await ask('runs', '--json');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual([item('a'), failed]);
  });

  it('writes them as one YAML document, or as tables for people, where it is asked to', async () => {
    server.answer({ body: { items: [item('a\u009b1'), failed], next: null } });
    const yaml = await ask('runs', '--output', 'yaml');
    expect(parse(yaml.stdout)).toEqual([item('a\u009b1'), failed]);
    expect(yaml.stdout).not.toContain('\u009b');
    const now = { createdAt: Date.now() - 7_200_000, labels: { team: 'blue' }, duration: 1_500 };
    server.answer({ body: { items: [item('01a2-f45e4c41', now)], next: null } });
    expect((await ask('runs', '--output', 'table')).stdout.replaceAll(/ +/g, ' ')).toBe(
      'RUN WORKFLOW STATUS AGE DURATION LABELS ABOUT\n' +
        'f45e4c41 hello paused 2h 1.5 s team:blue waits for a decision at approve: Send it?\n',
    );
    expect((await ask('runs', '--output', 'wide')).stdout).toContain('\n01a2-f45e4c41 ');
    const json = await ask('runs', '--output', 'json');
    expect(json.stdout).toBe((await ask('runs', '--json')).stdout);
  });

  it('says that there are none in each format', async () => {
    server.answer({ body: { items: [], next: null } });
    for (const [format, stdout, stderr] of [
      ['yaml', '[]\n', ''],
      ['json', '', ''],
      ['table', '', 'Nothing was found.\n'],
    ] as const)
      expect(await ask('runs', '--output', format)).toMatchObject({ code: 0, stdout, stderr });
  });

  it('finds those of the last hour', async () => {
    server.answer({ body: { items: [], next: null } });
    const before = Date.now();
    await ask('runs', '--created-after', '1h', '--created-before', '30m');
    const after = Date.now();
    const { searchParams } = new URL(urls()[0] ?? '', 'http://x');
    const [from, to] = ['createdAfter', 'createdBefore'].map((name) => Number(searchParams.get(name)));
    expect(from).toBeGreaterThanOrEqual(before - 3_600_000);
    expect(from).toBeLessThanOrEqual(after - 3_600_000);
    expect(to).toBeGreaterThanOrEqual(before - 1_800_000);
  });

  it.each([
    [['runs', '--limit', '0'], '--limit'],
    [['runs', '--watch', '--output', 'yaml'], 'mutually exclusive'],
    [['logs', 'a', 'b', '--tail', '0'], '--tail must be'],
    [['describe', ''], 'The name is empty'],
    [['approve', 'hello'], 'hello is no id of a run'],
    [['get', 'hello'], 'hello is no id of a run'],
    [['runs', '--label', 'blue'], '--label blue is no label'],
    [['runs', '--created-after', 'soon'], '--created-after must be a time'],
    [['events', 'a', 'b', '--tail', '1', '--after', '2'], 'mutually exclusive'],
    [['events', 'a', 'b', '--seq', '0'], '--seq must be'],
    [['fork', 'a', 'b', '--occurrence', '2'], 'give --unit too'],
    [['fork', 'a', 'b', '--snapshot', 's', '--unit', 'u'], 'mutually exclusive'],
    [['fork', 'a', 'b', '--input', '[]'], 'is no JSON object'],
    [['fork', 'a', 'b', '--unit-input', '{'], '--unit-input is not JSON'],
    [['watch', 'hello'], 'Which run of hello?'],
    [['watch', '--until-paused'], '--until-paused is of one run'],
    [['import', 'not-there.ndjson'], 'there is no such file'],
  ])('sends no request for %j', async (args, sentence) => {
    const { code, stderr } = await ask(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(server.requests).toEqual([]);
  });
});

describe('a run that is named by its id alone', () => {
  const record = { runId: RUN, workflowId: 'hello', status: 'paused' };
  const answers = (items: readonly object[]) =>
    server.answer(({ url }) => ({
      body: url.startsWith('/runs?') ? { items, next: null } : { ...record, items: [], next: null },
    }));

  it.each([
    [['get'], `/workflows/hello/runs/${RUN}`],
    [['describe'], `/workflows/hello/runs/${RUN}?view=full`],
    [['resume'], `/workflows/hello/runs/${RUN}/resume`],
    [['cancel'], `/workflows/hello/runs/${RUN}/cancel`],
    [['pause'], `/workflows/hello/runs/${RUN}/pause`],
    [['compensate'], `/workflows/hello/runs/${RUN}/compensate`],
    [['approve'], `/workflows/hello/runs/${RUN}/hitl`],
    [['reject'], `/workflows/hello/runs/${RUN}/hitl`],
    [['events'], `/workflows/hello/runs/${RUN}/events?limit=50&view=public`],
    [['logs'], `/workflows/hello/runs/${RUN}/events?afterSeq=0&limit=1000`],
    [['fork'], `/workflows/hello/runs/${RUN}/fork`],
  ])('is found by %j', async ([command = ''], url) => {
    answers([]);
    expect((await ask(command, RUN)).code).toBe(0);
    expect(urls()).toEqual([`/runs/${RUN}`, url]);
  });

  it('is found by the end of its id, in its workflow or in all', async () => {
    answers([item(RUN.replace(/0{8}$/, '0f5e4c41')), item(RUN.replace(/0{8}$/, 'aaaaaaaa'))]);
    const id = RUN.replace(/0{8}$/, '0f5e4c41');
    await ask('get', '0f5e4c41');
    await ask('get', 'hello', '0f5e4c41');
    expect(urls()).toEqual([
      '/runs?limit=200',
      `/workflows/hello/runs/${id}`,
      '/runs?workflowId=hello&limit=200',
      `/workflows/hello/runs/${id}`,
    ]);
  });

  it('is not guessed: where several end so they are listed, and nothing is done', async () => {
    answers([item(RUN), item(RUN.replace('01a1', '01a2'))]);
    const { code, stdout, stderr } = await ask('cancel', '00000000');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^2 runs end with 00000000: name one of them by its whole id\.\n {2}01a1f0c2/);
    expect(urls()).toEqual(['/runs?limit=200']);
  });
});

describe('what is registered', () => {
  const hello = {
    workflowId: 'hello',
    description: null,
    labels: { team: 'blue' },
    definitionHash: 'abcdef0123456789',
    registeredAt: 1_790_000_000_000,
    units: ['greet', 'approve'],
    flowType: 'sequential',
  };

  it.each(['workflows', 'list'])('is listed by flowgate %s', async (command) => {
    server.answer({ body: { workflows: ['hello'], items: [hello] } });
    expect((await ask(command)).stdout).toBe(
      'WORKFLOW  VERSION       REGISTERED            UNITS  FLOW\n' +
        'hello     abcdef012345  2026-09-21T14:13:20Z  2      sequential\n',
    );
    expect(JSON.parse((await ask(command, '--json')).stdout)).toEqual(hello);
    expect((await ask(command, '--output', 'wide')).stdout).toContain('greet approve');
    expect(urls()).toEqual(['/workflows', '/workflows', '/workflows']);
  });

  it('is described by its name, for programs and for people', async () => {
    server.answer({ body: { ...hello, yaml: 'kind: Workflow\n', bindings: [], inputSchema: null } });
    expect(JSON.parse((await ask('describe', 'hello')).stdout)).toMatchObject(hello);
    const { stdout } = await ask('describe', 'hello', '--output', 'table');
    expect(stdout).toContain('units:      greet, approve\nnext:       flowgate start hello\n');
    expect(urls()).toEqual(['/workflows/hello', '/workflows/hello']);
  });

  it.each(['unregister', 'delete'])('is taken away by flowgate %s', async (command) => {
    server.answer({ status: 204 });
    expect(await ask(command, 'hello')).toMatchObject({ code: 0, stdout: '' });
    expect(server.requests.map(({ method, url }) => [method, url])).toEqual([['DELETE', '/workflows/hello']]);
  });
});

describe('a refusal', () => {
  it('names options and commands in place of fields', async () => {
    const details = [
      { gateId: 4, unitId: 'one', title: 'First\u001b[2J?' },
      { gateId: 9, unitId: 'two', title: 'Second?' },
    ];
    const error = 'Several gates are open: name one of them by gateId';
    server.answer({ status: 409, body: { error, code: 'ambiguous-gate', details } });
    const { code, stderr } = await ask('approve', 'hello', RUN);
    expect([code, stderr]).toEqual([
      1,
      'Several gates are open: name one of them with --gate\n' +
        '  --gate 4  one: First\uFFFD[2J?\n  --gate 9  two: Second?\n',
    ]);
  });

  it('says of a run that is over that nothing was cancelled', async () => {
    server.answer({ body: { runId: RUN, workflowId: 'hello', status: 'completed' } });
    expect(await ask('cancel', 'hello', RUN)).toMatchObject({
      code: 0,
      stderr: 'Nothing was cancelled: the run is over (completed).\n',
    });
  });
});

describe('flowgate logs', () => {
  const event = (seq: number) => ({
    runId: RUN,
    workflowId: 'hello',
    seq,
    at: 1_790_000_000_000,
    type: 'unit.finished',
    data: { unitId: 'greet\u001b[2J', output: 'Hello' },
  });

  it('shows what a run did, a line for each thing', async () => {
    server.answer({ body: { items: [event(3), { ...event(4), type: 'not.known' }], next: null } });
    expect((await ask('logs', 'hello', RUN)).stdout).toBe('2026-09-21T14:13:20Z  greet\uFFFD[2J: finished\n');
    expect((await ask('logs', 'hello', RUN, '--tail', '2', '--json')).stdout.split('\n')).toHaveLength(3);
    expect(urls()).toEqual([
      `/workflows/hello/runs/${RUN}/events?afterSeq=0&limit=1000`,
      `/workflows/hello/runs/${RUN}/events?tail=2`,
    ]);
  });
});

describe('flowgate gates', () => {
  const gate = { ...item('a').openGates[0], runId: 'a', workflowId: 'hello', openedAt: 1_790_000_000_000 };

  it('lists those that wait, or were decided', async () => {
    server.answer({ body: { items: [gate], next: null, open: 1 } });
    expect((await ask('gates', '--workflow', 'hello')).stdout).toBe(
      'WORKFLOW  RUN  GATE  UNIT     OPENED                DUE\nhello     a    4     approve  2026-09-21T14:13:20Z       Send it?\n',
    );
    const decision = { approved: false, responder: 'ann', decidedAt: 2, comment: null };
    server.answer({ body: { items: [{ ...gate, decision }], next: null, open: 0 } });
    expect((await ask('gates', '--decided')).stdout).toContain('rejected by ann: Send it?\n');
    expect(urls()).toEqual([
      '/gates?status=open&workflowId=hello&limit=50',
      '/gates?status=decided&limit=50',
    ]);
  });

  const answerWithChanges = (): void => {
    const frames = [
      ['snapshot', { items: [gate], next: null, open: 1 }],
      ['upsert', { ...gate, runId: 'b' }],
      ['upsert', { ...gate, runId: 'b' }],
      ['remove', { runId: 'a', gateId: 4 }],
    ] as const;
    server.answer((_request, response) => {
      if (server.requests.length > 1) return { status: 404, body: { error: 'gone' } };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 1\n\n');
      response.end(
        frames.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
      );
      return undefined;
    });
  };

  it('shows with --watch their changes, until it is interrupted', async () => {
    answerWithChanges();
    const { code, stdout, stderr } = await ask('gates', '--watch');
    expect([code, stderr]).toEqual([1, 'gone\n']);
    expect(stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      ' WORKFLOW RUN GATE UNIT OPENED DUE',
      '+ hello a 4 approve 2026-09-21T14:13:20Z Send it?',
      '+ hello b 4 approve 2026-09-21T14:13:20Z Send it?',
      '- hello a 4 approve 2026-09-21T14:13:20Z Send it?',
      '',
    ]);
  });

  it('shows with --watch each change as JSON where the environment asks for JSON', async () => {
    answerWithChanges();
    const env = { FLOWGATE_SERVER: server.url, FLOWGATE_OUTPUT: 'json' };
    const { stdout } = await flowgate(['gates', '--watch'], { env });
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['snapshot', 'upsert', 'upsert', 'remove']);
  });
});

describe('flowgate events', () => {
  const event = (seq: number) => ({
    runId: RUN,
    workflowId: 'hello',
    seq,
    at: 1_790_000_000_000,
    type: 'unit.finished',
    data: { unitId: 'greet', output: 'Hello' },
  });

  it('shows what a run did, all of it or the last of it', async () => {
    server.answer({ body: { items: [event(3)], next: null } });
    const { stdout } = await ask('events', 'hello', RUN, '--after', '2');
    expect(stdout).toBe(
      'SEQ  AT                    TYPE           UNIT\n3    2026-09-21T14:13:20Z  unit.finished  greet  finished\n',
    );
    const lines = await ask('events', 'hello', RUN, '--tail', '5', '--log', '--json');
    expect(JSON.parse(lines.stdout)).toEqual(event(3));
    expect(urls()).toEqual([
      `/workflows/hello/runs/${RUN}/events?afterSeq=2&limit=50&view=public`,
      `/workflows/hello/runs/${RUN}/events?tail=5&view=log`,
    ]);
  });

  it('shows one of them whole', async () => {
    server.answer({ body: event(7) });
    expect(JSON.parse((await ask('events', 'hello', RUN, '--seq', '7')).stdout)).toEqual(event(7));
    expect(urls()).toEqual([`/workflows/hello/runs/${RUN}/events/7?view=public`]);
  });
});

describe('flowgate fork', () => {
  it('sends what differs in the fork, and prints its record', async () => {
    server.answer({ status: 202, body: { runId: 'f', workflowId: 'hello', status: 'running' } });
    const edits = `--unit greet --occurrence 2 --input @${at('input.json')} --state {"a":1} --unit-input [1] --current`;
    const more = '--label team:blue --key mine';
    const { code, stdout } = await ask('fork', 'hello', RUN, ...edits.split(' '), ...more.split(' '));
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ runId: 'f' })]);
    const [request] = server.requests;
    expect(request).toMatchObject({
      url: `/workflows/hello/runs/${RUN}/fork`,
      headers: { 'idempotency-key': 'mine' },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      from: { unitId: 'greet', occurrence: 2 },
      input: { name: 'Bob' },
      state: { a: 1 },
      unitInput: [1],
      definition: 'current',
      labels: { team: 'blue' },
      sync: false,
    });
    await ask('fork', 'hello', RUN, '--snapshot', `${RUN}.3`);
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({
      from: { snapshotId: `${RUN}.3` },
      sync: false,
    });
  });

  it('that is waited for ends with its status', async () => {
    server.answer({ body: { runId: 'f', workflowId: 'hello', status: 'paused' } });
    expect((await ask('fork', 'hello', RUN, '--sync')).code).toBe(3);
  });
});

describe('flowgate export and import', () => {
  it('write a run to a file as it arrives, and send it as it is', async () => {
    server.answer({ headers: NDJSON, body: EXPORT });
    expect((await ask('export', 'hello', RUN)).stdout).toBe(EXPORT);
    const toFile = await ask('export', 'hello', RUN, '--out', at('run.ndjson'));
    expect([toFile.code, toFile.stdout, readFileSync(at('run.ndjson'), 'utf8')]).toEqual([0, '', EXPORT]);
    server.answer({ status: 201, body: { runId: RUN, workflowId: 'hello', status: 'completed' } });
    const imported = await ask('import', at('run.ndjson'));
    expect([imported.code, JSON.parse(imported.stdout)]).toEqual([
      0,
      expect.objectContaining({ runId: RUN }),
    ]);
    const piped = await flowgate(['import', '-', '--server', server.url], { stdin: EXPORT });
    expect(piped.code).toBe(0);
    expect(server.requests.slice(2).map(({ url, body }) => [url, body])).toEqual(
      ['from a file', 'from stdin'].map(() => ['/runs/import', EXPORT]),
    );
  });

  it('leave no incomplete file, and lose no existing one', async () => {
    server.answer({ headers: NDJSON, body: EXPORT.slice(0, 40) });
    const cut = await ask('export', 'hello', RUN, '--out', at('cut.ndjson'));
    expect([cut.code, existsSync(at('cut.ndjson'))]).toEqual([4, false]);
    writeFileSync(at('mine.ndjson'), 'mine');
    const again = await ask('export', 'hello', RUN, '--out', at('mine.ndjson'));
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('mine.ndjson cannot be written')]);
    expect(readFileSync(at('mine.ndjson'), 'utf8')).toBe('mine');
  });
});

describe('flowgate versions and diff', () => {
  const version = (definitionHash: string, current = false) => ({
    definitionHash,
    registeredAt: 1_790_000_000_000,
    current,
  });
  const found = {
    text: '--- a\n+++ b\n-old\n+new\n',
    units: { added: ['x'], removed: [], changed: ['y', 'z'] },
  };

  it('list what was registered, and show one', async () => {
    server.answer({ body: { items: [version('h2', true), version('h1')], next: null } });
    expect((await ask('versions', 'hello')).stdout).toBe(
      'VERSION  REGISTERED\nh2       2026-09-21T14:13:20Z  current\nh1       2026-09-21T14:13:20Z\n',
    );
    server.answer({ body: { yaml: 'kind: Workflow\n' } });
    expect((await ask('versions', 'hello', '--hash', 'h1')).stdout).toBe('kind: Workflow\n');
    expect(urls()).toEqual(['/workflows/hello/versions?limit=50', '/workflows/hello?hash=h1']);
  });

  it('compare two of them, without names the current one with the one before', async () => {
    server.answer(({ url }) =>
      url.includes('diff')
        ? { body: found }
        : { body: { items: [version('h3'), version('h2', true), version('h1')], next: null } },
    );
    const { stdout, stderr } = await ask('diff', 'hello');
    expect([stdout, stderr]).toEqual([found.text, 'Units added: x\nUnits changed: y, z\n']);
    await ask('diff', 'hello', 'h1');
    const json = await ask('diff', 'hello', 'h1', 'h3', '--json');
    expect(JSON.parse(json.stdout)).toEqual(found);
    expect(urls().filter((url) => url.includes('diff'))).toEqual([
      '/workflows/hello/diff?from=h3&to=h2',
      '/workflows/hello/diff?from=h1&to=h2',
      '/workflows/hello/diff?from=h1&to=h3',
    ]);
  });

  it('have nothing to compare where there is one version', async () => {
    server.answer({ body: { items: [version('h1', true)], next: null } });
    expect(await ask('diff', 'hello')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has one version alone'),
    });
  });
});

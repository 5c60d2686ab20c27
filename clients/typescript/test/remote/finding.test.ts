import { FlowgateClient, FlowgateUnreachableError, type RunRecord } from 'flowgate-client';
import { startUnitServer, type UnitServer } from '../../../../test/support/unit-server.js';

const RECORD: RunRecord = { runId: 'r', workflowId: 'w', status: 'running', createdAt: 1, updatedAt: 1 };
const PAGE = { items: [], next: null, open: 3 };
/** In front of ours, as behind a proxy. */
const PATH = '/api/flowgate';
let server: UnitServer;
let client: FlowgateClient;
beforeEach(async () => {
  server = await startUnitServer();
  client = new FlowgateClient({
    baseUrl: `${server.url}${PATH}/`,
    retries: { count: 2, baseMs: 1, maxMs: 2 },
  });
});
afterEach(() => server.close());

const asked = () => server.requests.map(({ method, url, body }) => [method, url, body]);
async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

describe('the calls of a client ask the service as its pages say:', () => {
  const address = ['w', 'r'] as const;
  const CALLS: readonly [string, object, () => Promise<unknown>, string, string, unknown?][] = [
    ['runs', PAGE, () => client.listRuns(), 'GET', '/runs'],
    [
      'runs, by all that is known of them',
      PAGE,
      () =>
        client.listRuns({
          workflowId: 'a/b',
          status: 'paused',
          labels: { team: 'a:b c', 'x.y': '' },
          createdAfter: '2026-11-01T00:00:00Z',
          createdBefore: new Date(1_800_000_000_000),
          openGate: true,
          gateUnit: 'ö',
          cancelled: false,
          origin: 'fork',
          forkedFrom: 'q',
          parent: 'p',
          definitionHash: 'h',
          idPrefix: '01a1',
          limit: 200,
          cursor: 'c',
        }),
      'GET',
      '/runs?workflowId=a%2Fb&createdAfter=1793491200000&createdBefore=1800000000000&openGate=true&gateUnit=%C3%B6' +
        '&cancelled=false&origin=fork&forkedFrom=q&parent=p&definitionHash=h&limit=200&cursor=c&status=paused' +
        '&label=team%3Aa%3Ab%20c&label=x.y%3A&id=01a1',
    ],
    [
      'gates',
      PAGE,
      () => client.listGates({ status: 'decided', workflowId: 'w', limit: 1, cursor: 'c' }),
      'GET',
      '/gates?status=decided&workflowId=w&limit=1&cursor=c',
    ],
    ['events', PAGE, () => client.getEvents(...address), 'GET', '/workflows/w/runs/r/events'],
    [
      'events from somewhere on',
      PAGE,
      () => client.getEvents(...address, { afterSeq: 0, limit: 9, view: 'log' }),
      'GET',
      '/workflows/w/runs/r/events?afterSeq=0&limit=9&view=log',
    ],
    [
      'the last events',
      PAGE,
      () => client.getEvents(...address, { tail: 5 }),
      'GET',
      '/workflows/w/runs/r/events?tail=5',
    ],
    [
      'one event',
      { seq: 7, type: 'x' },
      () => client.getEvent(...address, 7, { view: 'public' }),
      'GET',
      '/workflows/w/runs/r/events/7?view=public',
    ],
    [
      'checkpoints',
      { snapshots: [], next: null },
      () => client.listSnapshots(...address, { limit: 2, cursor: 'c' }),
      'GET',
      '/workflows/w/runs/r/snapshots?limit=2&cursor=c',
    ],
    [
      'a checkpoint',
      { snapshotId: 'r.3', state: {} },
      () => client.getSnapshot('a/b', 'r', 'r.3'),
      'GET',
      '/workflows/a%2Fb/runs/r/snapshots/r.3',
    ],
    ['a fork', RECORD, () => client.fork(...address), 'POST', '/workflows/w/runs/r/fork', { sync: false }],
    [
      'a fork with edits',
      RECORD,
      () =>
        client.fork(...address, {
          from: { unitId: 'u', occurrence: 2 },
          input: { a: 1 },
          state: { b: 2 },
          unitInput: null,
          definition: 'current',
          labels: { team: 'blue' },
          sync: true,
        }),
      'POST',
      '/workflows/w/runs/r/fork',
      {
        from: { unitId: 'u', occurrence: 2 },
        input: { a: 1 },
        state: { b: 2 },
        unitInput: null,
        definition: 'current',
        labels: { team: 'blue' },
        sync: true,
      },
    ],
    [
      'a start with labels',
      RECORD,
      () => client.startWorkflow('w', {}, { labels: { team: 'blue' } }),
      'POST',
      '/workflows/w/runs',
      { input: {}, labels: { team: 'blue' }, sync: false },
    ],
    ['a workflow', { yaml: 'x' }, () => client.getWorkflow('w', { hash: 'h' }), 'GET', '/workflows/w?hash=h'],
    ['a run of whichever workflow', RECORD, () => client.getRunById('r/1'), 'GET', '/runs/r%2F1'],
    [
      'a run of whichever workflow, whole',
      RECORD,
      () => client.getRunById('r', { view: 'full' }),
      'GET',
      '/runs/r?view=full',
    ],
    ['versions', PAGE, () => client.listVersions('w', { limit: 2 }), 'GET', '/workflows/w/versions?limit=2'],
    [
      'what is other',
      { text: '', units: {} },
      () => client.diffVersions('w', 'a', 'b'),
      'GET',
      '/workflows/w/diff?from=a&to=b',
    ],
    [
      'whether a workflow would be registered',
      { ok: false, details: [], warnings: [] },
      () => client.validateOnService('kind: nonsense\n'),
      'POST',
      '/workflows/validate',
      { yaml: 'kind: nonsense\n' },
    ],
  ];

  // With fewer arguments than parameters Jest would take the last one for its own.
  it.each(CALLS.map((row) => [row[0], row] as const))(
    '%s',
    async (_name, [, answer, call, method, url, body]) => {
      server.answer({ body: answer });
      expect(await call()).toEqual(answer);
      const [request] = server.requests;
      expect([request?.method, request?.url]).toEqual([method, PATH + url]);
      expect(request?.body === '' ? undefined : JSON.parse(request?.body ?? '')).toEqual(body);
    },
  );

  it('the list of workflows is what the answer names as items', async () => {
    const item = { workflowId: 'w', definitionHash: 'h' };
    server.answer({ body: { workflows: ['w'], items: [item] } });
    expect(await client.listWorkflows()).toEqual([item]);
    expect(server.requests.map(({ method, url }) => [method, url])).toEqual([['GET', `${PATH}/workflows`]]);
  });

  it('a fork is tried again under the key that it had', async () => {
    let tries = 0;
    server.answer(() =>
      ++tries < 3 ? { status: 503, body: { error: 'busy' } } : { status: 202, body: RECORD },
    );
    expect(await client.fork('w', 'r')).toEqual(RECORD);
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    await client.fork('w', 'r', { idempotencyKey: 'mine' });
    expect(server.requests.at(-1)?.headers['idempotency-key']).toBe('mine');
  });

  it.each<[string, object, () => Promise<unknown>]>([
    ['a list', {}, () => client.listRuns()],
    ['an event', {}, () => client.getEvent('w', 'r', 1)],
    ['a list of checkpoints', PAGE, () => client.listSnapshots('w', 'r')],
    ['a checkpoint', { snapshotId: 'r.3' }, () => client.getSnapshot('w', 'r', 'r.3')],
    ['a workflow', { workflowId: 'w' }, () => client.getWorkflow('w')],
    ['a check', {}, () => client.validateOnService('a: b\n')],
  ])('and what answers %s with something else is named', async (_name, body, call) => {
    server.answer({ body });
    await expect(call()).rejects.toThrow("not Flowgate's");
  });
});

describe('all of a list', () => {
  it('is read page by page, over pages that are empty, and no further than is wanted', async () => {
    const pages = [
      { items: [{ runId: 'a' }, { runId: 'b' }], next: 'x' },
      { items: [], next: 'y' },
      { items: [{ runId: 'c' }], next: null },
    ];
    let page = 0;
    server.answer(() => ({ body: pages[page++] }));
    expect((await all(client.eachRun({ workflowId: 'w' }))).map(({ runId }) => runId)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(asked().map(([, url]) => url)).toEqual([
      `${PATH}/runs?workflowId=w`,
      `${PATH}/runs?workflowId=w&cursor=x`,
      `${PATH}/runs?workflowId=w&cursor=y`,
    ]);
    page = 0;
    for await (const { runId } of client.eachRun()) if (runId === 'b') break;
    expect(asked()).toHaveLength(4);
  });

  it('may be of gates, events and versions', async () => {
    server.answer({ body: PAGE });
    await all(client.eachGate());
    await all(client.eachVersion('w', { cursor: 'c' }));
    let page = 0;
    server.answer(() => ({
      body: page++ === 0 ? { items: [{ seq: 3 }], next: 3 } : { items: [], next: null },
    }));
    expect(await all(client.eachEvent('w', 'r', { limit: 1 }))).toEqual([{ seq: 3 }]);
    expect(asked().map(([, url]) => url)).toEqual([
      `${PATH}/gates`,
      `${PATH}/workflows/w/versions?cursor=c`,
      `${PATH}/workflows/w/runs/r/events?limit=1`,
      `${PATH}/workflows/w/runs/r/events?afterSeq=3&limit=1`,
    ]);
  });

  it('ends where a page names itself as the next one', async () => {
    server.answer({ body: { items: [], next: 'x' } });
    await expect(all(client.eachRun())).rejects.toThrow('the list would never end');
  });
});

describe('arguments that cannot be meant', () => {
  it.each<[string, () => unknown, string]>([
    ['an option of no list', () => client.listRuns({ workflowID: 'w' } as never), 'workflowID is no option'],
    ['no status', () => client.listRuns({ status: [] }), 'status must be'],
    ['labels that are no texts', () => client.listRuns({ labels: { a: 1 } as never }), 'the value of a'],
    ['labels that are a list', () => client.fork('w', 'r', { labels: ['a'] as never }), 'labels must be'],
    ['a time that is none', () => client.listRuns({ createdAfter: 'soon' }), 'createdAfter must be'],
    ['runs without open gates', () => client.listRuns({ openGate: false as never }), 'openGate must be true'],
    ['no items', () => client.listGates({ limit: 0 }), 'limit must be'],
    ['an option of no list of gates', () => client.listGates({ open: true } as never), 'open is no option'],
    [
      'a watch of what no list has',
      () => client.watchRuns({ statuses: 'x' } as never),
      'statuses is no option',
    ],
    [
      'two places',
      () => client.fork('w', 'r', { from: { snapshotId: 's', unitId: 'u' } as never }),
      'from must',
    ],
    ['no place', () => client.fork('w', 'r', { from: {} as never }), 'from must be'],
    ['a place that is none', () => client.fork('w', 'r', { from: null as never }), 'from must be'],
    [
      'an occurrence of a checkpoint',
      () => client.fork('w', 'r', { from: { snapshotId: 's', occurrence: 1 } as never }),
      'occurrence',
    ],
    [
      'an occurrence that is none',
      () => client.fork('w', 'r', { from: { unitId: 'u', occurrence: 0 } }),
      'occurrence',
    ],
    ['an input that is no object', () => client.fork('w', 'r', { input: [] }), 'input must be an object'],
    [
      'a state that is no object',
      () => client.fork('w', 'r', { state: 1 as never }),
      'state must be an object',
    ],
    [
      'an input that JSON would lose',
      () => client.fork('w', 'r', { unitInput: { a: Number.NaN } }),
      'a is NaN',
    ],
    [
      'a definition that is none',
      () => client.fork('w', 'r', { definition: 'new' as never }),
      'definition must',
    ],
    ['no event', () => client.getEvent('w', 'r', 0), 'seq must be'],
    ['an event that is missing', () => client.getEvent('w', 'r', undefined as never), 'seq must be'],
    ['a view that is none', () => client.getEvents('w', 'r', { view: 'all' as never }), 'view must be'],
    ['no checkpoint', () => client.getSnapshot('w', 'r', ''), 'snapshotId must be'],
    [
      'checkpoints after no cursor',
      () => client.listSnapshots('w', 'r', { cursor: 3 as never }),
      'cursor must',
    ],
    ['a place before the first', () => client.watchRun('w', 'r', { afterSeq: -1 }), 'afterSeq must be'],
    ['a run without an id', () => client.exportRun('w', ''), 'runId must be'],
    ['an export that is none', () => client.importRun(7 as never), 'The export must be'],
    ['versions without hashes', () => client.diffVersions('w', 'a', undefined as never), 'to must be'],
    ['a silence that is none', () => client.watchAll({ maxSilenceMs: 0 }), 'maxSilenceMs must be'],
  ])('are refused before anybody is asked: %s', async (_name, call, message) => {
    const refused = (async () => call())();
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(TypeError);
    expect(server.requests).toEqual([]);
  });
});

describe('an export', () => {
  const type = { 'content-type': 'application/x-ndjson' };
  const lines = [
    '{"format":"flowgate-run/1"}\n',
    `{"text":"${'ü'.repeat(40_000)}"}\n`,
    '{"lastSeq":1,"sha256":"x"}\n',
  ];

  it('is given line by line, with the line breaks that it has', async () => {
    server.answer({ headers: type, body: lines.join('') });
    expect(await all(client.exportRun('w', 'r'))).toEqual(lines);
    expect(server.requests[0]).toMatchObject({
      url: `${PATH}/workflows/w/runs/r/export`,
      headers: { accept: 'application/x-ndjson' },
    });
  });

  it.each<[string, string]>([
    ['between two lines', lines.slice(0, 2).join('')],
    ['within a line', lines.join('').slice(0, -5)],
    ['before the first', ''],
  ])('that ends %s is not whole, and that is said', async (_name, body) => {
    server.answer({ headers: type, body });
    await expect(all(client.exportRun('w', 'r'))).rejects.toThrow(FlowgateUnreachableError);
    await expect(all(client.exportRun('w', 'r'))).rejects.toThrow('cut before its last line');
  });

  it('whose connection is lost is not begun anew behind the reader’s back', async () => {
    server.answer((_request, response) => {
      response.writeHead(200, type);
      response.write(lines[0], () => response.destroy());
    });
    const values = client.exportRun('w', 'r');
    expect((await values.next()).value).toBe(lines[0]);
    await expect(values.next()).rejects.toThrow(FlowgateUnreachableError);
    expect(server.requests).toHaveLength(1);
  });

  it('of an unknown run is refused as other reads are', async () => {
    server.answer({ status: 404, body: { error: 'Unknown run: r', code: 'unknown-run' } });
    await expect(all(client.exportRun('w', 'r'))).rejects.toMatchObject({ status: 404, code: 'unknown-run' });
  });

  it('is imported as it is: text, bytes, or as it comes', async () => {
    server.answer({ status: 201, body: RECORD });
    const text = lines.join('');
    async function* pieces() {
      yield* lines;
    }
    for (const given of [text, new TextEncoder().encode(text), pieces()]) {
      expect(await client.importRun(given)).toEqual(RECORD);
      const { url, headers, body } = server.requests.at(-1)!;
      expect([url, headers['content-type'], body]).toEqual([
        `${PATH}/runs/import`,
        'application/x-ndjson',
        text,
      ]);
    }
    await expect(client.importRun('x'.repeat(16 * 1024 * 1024 + 1))).rejects.toThrow(
      'more than 16777216 bytes',
    );
  });
});

import { document, gate, mock, remote } from '../../../../support/workflow-documents.js';
import { until } from '../../../../support/eventually.js';
import type { Tenant } from './tenant.js';

/** What a random request is made of: the same numbers are the same request. */
export type Numbers = readonly [a: number, b: number, c: number];
export type Deed = (tenant: Tenant, numbers: Numbers) => Promise<unknown>;

/** Both tenants have the same documents: of one unit, one label, one secret name. */
export const documentsFor = (
  endpoint: string,
): readonly { readonly yaml: string; readonly bindings?: object }[] => [
  {
    yaml: document('shared', [remote('say'), gate('agree'), mock('done', 'a pelican is done')]),
    bindings: {
      'acme.say': { type: 'http', endpoint, headers: { 'x-token': '${secret:TOKEN}' } },
    },
  },
  { yaml: document('quick', [mock('said', 'a quick pelican')]) },
  { yaml: document('marker', [remote('say')]), bindings: { 'acme.say': { type: 'http', endpoint } } },
  {
    yaml: document('parent', [
      remote('say'),
      { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'quick' } },
    ]),
    bindings: { 'acme.say': { type: 'http', endpoint } },
  },
];

const LABELS = { team: 'same' };
const oneOf = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;
const workflow = (number: number): string => oneOf(['shared', 'quick', 'parent', 'not-there'], number);
const inPath = ({ workflowId, runId }: { readonly workflowId: string; readonly runId: string }): string =>
  `/workflows/${workflowId}/runs/${runId}`;
const key = (number: number) => ({ 'idempotency-key': `key-${number % 5}` });
/** Every seventh request is for another namespace, which is refused whether it is there or not. */
const elsewhere = (number: number, tenant: Tenant): Record<string, string> =>
  number % 7 === 6 ? { 'flowgate-namespace': tenant.namespace === 'left' ? 'right' : 'left' } : {};

/** A request whose answer is all that there is to it. */
function asks(
  method: string,
  pathOf: (tenant: Tenant, numbers: Numbers) => string,
  bodyOf: (tenant: Tenant, numbers: Numbers) => unknown = () => undefined,
  headersOf: (tenant: Tenant, numbers: Numbers) => Record<string, string> = () => ({}),
): Deed {
  return async (tenant, numbers) => {
    const headers = { ...headersOf(tenant, numbers), ...elsewhere(numbers[2], tenant) };
    const answer = await tenant.call(method, pathOf(tenant, numbers), bodyOf(tenant, numbers), headers);
    const { status, headers: head, body, text } = answer;
    return { status, head, body: body ?? ndjson(text) };
  };
}

/** A file of a run begins with what made it, and when. */
function ndjson(text: string): unknown {
  return text.split('\n').map((line) => (line.startsWith('{') ? (JSON.parse(line) as unknown) : line));
}

const LIST_FILTERS = [
  '',
  '?status=paused',
  '?label=team:same',
  '?openGate=true',
  '?limit=2',
  '?origin=child',
];
const runsQuery = (tenant: Tenant, [a, b]: Numbers): string =>
  a % 3 === 2 ? `?limit=2&cursor=${tenant.own('cursors', b)}` : oneOf(LIST_FILTERS, b);
const foreignRunQuery = (tenant: Tenant, [a, b]: Numbers): string => {
  const { runId } = tenant.run(b);
  return oneOf([`?id=${runId}`, `?forkedFrom=${runId}`, `?parent=${runId}`], a);
};

const start = ([a, b]: Numbers) => ({
  input: { n: b % 3 },
  sync: true,
  ...(a % 2 === 0 ? { labels: LABELS } : {}),
});

const STILL_MS = 100;

/** Waits until none of the tenant's runs moves: what is asked next must not depend on how quick the machine is. */
export async function settled(tenant: Tenant): Promise<void> {
  let before = '';
  let since = performance.now();
  await until(async () => {
    const { body } = await tenant.look('/runs?status=running,pending&limit=200');
    const moving = body.items as readonly { readonly runId: string; readonly updatedAt: number }[];
    const now = JSON.stringify(moving.map(({ runId, updatedAt }) => [runId, updatedAt]));
    if (now !== before) [before, since] = [now, performance.now()];
    return moving.length === 0 || performance.now() - since > STILL_MS;
  }, 'the runs are at rest');
}

/** The memory follows the log: once it has what was said last, it has all that was said before. */
function afterAll(deed: Deed): Deed {
  return async (tenant, numbers) => {
    const mark = `mark${tenant.learned.runs.length}`;
    await tenant.call('POST', '/workflows/marker/runs', { input: { mark }, sync: true });
    await until(async () => {
      const { body } = await tenant.look(`/memory/search?q=${mark}`);
      return (body.results as readonly { readonly content: string }[]).some(
        ({ content }) => content === mark,
      );
    }, 'the memory has what was said last');
    return deed(tenant, numbers);
  };
}

const KEY_ID = /"[a-z2-7]{16}"/g;

/** As `afterAll`, of what is told of runs. Of one action each: what is told by itself and what follows the log are in no order. */
const toldOf: Deed = async (tenant, [a, b]) => {
  const { body: marker } = await tenant.call('POST', '/workflows/marker/runs', { input: {}, sync: true });
  await until(async () => {
    const { body } = await tenant.look(`/audit?runId=${String(marker.runId)}`);
    return (body.items as readonly unknown[]).length > 0;
  }, 'the audit has what was done last');
  const query = oneOf(['run.start', 'run.cancel', 'gate.decide', 'key.make', 'workflow.register'], a);
  const more = oneOf(
    ['', '&owner=right@example.com', '&owner=left@example.com', `&runId=${tenant.run(b).runId}`],
    b,
  );
  const { status, headers, body } = await tenant.call('GET', `/audit?action=${query}${more}`);
  const items = (body.items ?? []) as readonly { readonly id: string }[];
  // Ids of rows are made for whoever sees the namespace, those of keys anew each time.
  const told = items.map(({ id: _id, ...item }) => JSON.stringify(item).replaceAll(KEY_ID, '"<key>"'));
  return {
    status,
    head: headers,
    items: told.map((item) => JSON.parse(item) as unknown),
    error: body.error as unknown,
  };
};

/** By route, as the service has it: what a tenant may send there. */
export const ROUTES: Readonly<Record<string, Deed>> = {
  'GET /whoami': asks('GET', () => '/whoami'),
  'GET /keys': asks('GET', (_tenant, [a]) =>
    oneOf(['/keys', '/keys?owner=right@example.com', '/keys?owner=left@example.com', '/keys?limit=1'], a),
  ),
  'POST /keys': asks(
    'POST',
    () => '/keys',
    (tenant, [a]) =>
      oneOf(
        [
          { name: 'more', grants: [{ namespace: tenant.namespace, roles: ['viewer'] }] },
          { grants: [{ namespace: tenant.namespace === 'left' ? 'right' : 'left', roles: ['viewer'] }] },
          { owner: 'somebody@example.com', grants: [{ namespace: tenant.namespace, roles: ['operator'] }] },
        ],
        a,
      ),
  ),
  'POST /keys/:id/rotate': asks(
    'POST',
    (tenant, [a]) => `/keys/${tenant.own('keys', a)}/rotate`,
    () => ({}),
  ),
  'DELETE /keys/:id': asks('DELETE', (tenant, [a]) => `/keys/${tenant.own('keys', a)}`),
  'POST /owners/:owner/revoke': asks('POST', (_tenant, [a]) =>
    oneOf(['/owners/right@example.com/revoke', '/owners/left@example.com/revoke'], a),
  ),
  'GET /metrics': asks('GET', () => '/metrics'),
  'POST /mcp': asks(
    'POST',
    () => '/mcp',
    (_tenant, [a]) =>
      oneOf(
        [
          { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          {
            jsonrpc: '2.0',
            id: 1,
            method: 'initialize',
            params: {
              protocolVersion: '2025-11-25',
              capabilities: {},
              clientInfo: { name: 'test', version: '1' },
            },
          },
          { jsonrpc: '2.0', id: 1, method: 'resources/list' },
          { jsonrpc: '2.0', id: 1, method: 'prompts/list' },
        ],
        a,
      ),
    (tenant, [a, b]) =>
      a % 2 === 0
        ? {}
        : {
            accept: 'application/json, text/event-stream',
            ...(a % 4 === 3 ? { 'mcp-session-id': tenant.own('sessions', b) } : {}),
          },
  ),
  'GET /mcp': asks(
    'GET',
    () => '/mcp',
    () => undefined,
    (tenant) => ({ 'mcp-session-id': tenant.own('sessions', 3), accept: 'text/event-stream' }),
  ),
  'DELETE /mcp': asks(
    'DELETE',
    () => '/mcp',
    () => undefined,
    (tenant, [a]) => ({ 'mcp-session-id': tenant.own('sessions', a), 'mcp-protocol-version': '2025-11-25' }),
  ),
  'POST /workflows/from-yaml': asks(
    'POST',
    () => '/workflows/from-yaml',
    (_tenant, [a, b]) => ({
      yaml: document(oneOf(['mine', 'quick'], a), [mock('said', `pelican ${b % 3}`)]),
    }),
  ),
  'POST /workflows/validate': asks(
    'POST',
    () => '/workflows/validate',
    (_tenant, [a]) => ({
      yaml: document('new', [
        { id: 'child', uses: 'builtin.workflow', config: { workflowId: workflow(a) } },
        remote(oneOf(['say', 'nobody'], a)),
      ]),
    }),
  ),
  'DELETE /workflows/:id': asks('DELETE', (_tenant, [a]) =>
    oneOf(['/workflows/mine', '/workflows/not-there'], a),
  ),
  'GET /workflows': asks('GET', () => '/workflows'),
  'GET /workflows/:id': asks('GET', (_tenant, [a]) => `/workflows/${workflow(a)}`),
  'GET /workflows/:id/versions': asks('GET', (_tenant, [a]) => `/workflows/${workflow(a)}/versions`),
  'GET /workflows/:id/versions/:hash': asks(
    'GET',
    (tenant, [a, b]) => `/workflows/${workflow(a)}/versions/${tenant.hash(b)}`,
  ),
  'GET /workflows/:id/diff': asks(
    'GET',
    (tenant, [a, b, c]) => `/workflows/${workflow(a)}/diff?from=${tenant.hash(b)}&to=${tenant.hash(c)}`,
  ),
  'POST /workflows/:id/runs': asks(
    'POST',
    (_tenant, [a]) => `/workflows/${workflow(a)}/runs`,
    (_tenant, numbers) => start(numbers),
    (_tenant, [, b]) => (b % 2 === 0 ? key(b) : {}),
  ),
  // One run: of several, which begin at one instant, nobody knows the order.
  'POST /workflows/:id/runs/batch': asks(
    'POST',
    () => '/workflows/quick/runs/batch',
    (_tenant, [a]) => ({ runs: [a % 2 === 0 ? { labels: LABELS } : { idempotencyKey: `key-${a % 5}` }] }),
  ),
  'GET /runs': asks('GET', (tenant, numbers) =>
    numbers[0] % 2 === 0 ? `/runs${runsQuery(tenant, numbers)}` : `/runs${foreignRunQuery(tenant, numbers)}`,
  ),
  'GET /runs/:runId': asks('GET', (tenant, [a]) => `/runs/${tenant.run(a).runId}`),
  'GET /workflows/:id/runs': asks(
    'GET',
    (tenant, numbers) => `/workflows/${workflow(numbers[0])}/runs${runsQuery(tenant, numbers)}`,
  ),
  'GET /workflows/:id/runs/:runId': asks(
    'GET',
    (tenant, [a, b]) => `${inPath(tenant.run(a))}${oneOf(['', '?view=full'], b)}`,
  ),
  'GET /workflows/:id/runs/:runId/messages': asks(
    'GET',
    (tenant, [a]) => `${inPath(tenant.run(a))}/messages`,
  ),
  'GET /workflows/:id/runs/:runId/events': asks(
    'GET',
    (tenant, [a, b]) => `${inPath(tenant.run(a))}/events${oneOf(['', '?tail=2', '?view=log'], b)}`,
  ),
  'GET /workflows/:id/runs/:runId/events/:seq': asks(
    'GET',
    (tenant, [a, b]) => `${inPath(tenant.run(a))}/events/${1 + (b % 4)}`,
  ),
  'GET /workflows/:id/runs/:runId/snapshots': asks(
    'GET',
    (tenant, [a]) => `${inPath(tenant.run(a))}/snapshots`,
  ),
  'GET /workflows/:id/runs/:runId/snapshots/:snapshotId': asks('GET', (tenant, [a, b]) => {
    const run = tenant.run(a);
    return `${inPath(run)}/snapshots/${run.runId}.${1 + (b % 8)}`;
  }),
  'POST /workflows/:id/runs/:runId/resume': asks(
    'POST',
    (tenant, [a]) => `${inPath(tenant.run(a))}/resume`,
    (_tenant, [, b]) => (b % 2 === 0 ? {} : { stateOverride: { more: 1 } }),
    (_tenant, [, b]) => (b % 2 === 0 ? key(b) : {}),
  ),
  'POST /workflows/:id/runs/:runId/cancel': asks(
    'POST',
    (tenant, [a]) => `${inPath(tenant.run(a))}/cancel`,
    () => ({ reason: 'no more' }),
    (_tenant, [, b]) => (b % 2 === 0 ? key(b) : {}),
  ),
  'POST /workflows/:id/runs/:runId/pause': asks(
    'POST',
    (tenant, [a]) => `${inPath(tenant.run(a))}/pause`,
    () => ({}),
  ),
  'POST /workflows/:id/runs/:runId/compensate': asks(
    'POST',
    (tenant, [a]) => `${inPath(tenant.run(a))}/compensate`,
    () => ({}),
  ),
  'POST /workflows/:id/runs/:runId/fork': asks(
    'POST',
    (tenant, [a]) => `${inPath(tenant.run(a))}/fork`,
    () => ({ sync: true }),
    (_tenant, [, b]) => (b % 2 === 0 ? key(b) : {}),
  ),
  'POST /workflows/:id/runs/:runId/hitl': asks(
    'POST',
    (tenant, [a]) => `${inPath(tenant.run(a))}/hitl`,
    (_tenant, [, b]) => ({ approved: b % 3 !== 0, responder: 'x' }),
    (_tenant, [, b]) => (b % 2 === 0 ? key(b) : {}),
  ),
  'GET /workflows/:id/runs/:runId/export': asks('GET', (tenant, [a]) => `${inPath(tenant.run(a))}/export`),
  'POST /runs/import': async (tenant, [a]) => {
    const log = tenant.exported(a);
    const headers = { 'content-type': 'application/x-ndjson' };
    const { status, headers: head, body } = await tenant.call('POST', '/runs/import', log, headers);
    return { status, head, body: body as unknown };
  },
  'GET /gates': asks('GET', (_tenant, [a]) =>
    oneOf(['/gates', '/gates?status=decided', '/gates?limit=1', '/gates?workflowId=shared'], a),
  ),
  'GET /memory/search': afterAll(
    asks('GET', (_tenant, [a]) =>
      oneOf(
        ['/memory/search?q=pelican', '/memory/search?q=secret', '/memory/search?q=quick%20done&topK=3'],
        a,
      ),
    ),
  ),
  'GET /events': (tenant, numbers) => watched(tenant, '/events', numbers),
  'GET /audit': toldOf,
};

/** A tool by its name, and the arguments that a tenant may give. */
const TOOLS: Readonly<Record<string, (tenant: Tenant, numbers: Numbers) => object>> = {
  run_workflow: (_tenant, [a, b]) => ({ workflowId: workflow(a), ...start([a, b, 0]) }),
  get_run: (tenant, [a]) => tenant.run(a),
  resume_run: (tenant, [a]) => tenant.run(a),
  respond_hitl: (tenant, [a, b]) => ({ ...tenant.run(a), approved: b % 2 === 0 }),
  list_workflows: () => ({}),
  describe_workflow: (_tenant, [a]) => ({ workflowId: workflow(a) }),
  validate_workflow: () => ({ yaml: document('new', [mock('said')]) }),
  register_workflow: (_tenant, [, b]) => ({ yaml: document('mine', [mock('said', `pelican ${b % 3}`)]) }),
  delete_workflow: () => ({ workflowId: 'mine' }),
  search_memory: () => ({ query: 'pelican', topK: 5 }),
  cancel_run: (tenant, [a]) => tenant.run(a),
  pause_run: (tenant, [a]) => tenant.run(a),
  compensate_run: (tenant, [a]) => tenant.run(a),
  fork_run: (tenant, [a]) => ({ ...tenant.run(a), sync: true }),
  list_runs: (tenant, [a, b]) => oneOf([{}, { labels: LABELS }, { parent: tenant.run(b).runId }], a),
  list_events: (tenant, [a]) => tenant.run(a),
  list_gates: (_tenant, [a]) => oneOf([{}, { status: 'decided' }], a),
  workflow_quick: () => ({ n: 1 }),
  workflow_shared: () => ({ n: 1 }),
  workflow_parent: () => ({}),
  workflow_mine: () => ({}),
  workflow_marker: () => ({}),
};

export const TOOL_NAMES = Object.keys(TOOLS);

const toolDeeds = Object.entries(TOOLS).map(([name, argumentsOf]): readonly [string, Deed] => [
  `tool ${name}`,
  name === 'search_memory' ? afterAll(tool(name, argumentsOf)) : tool(name, argumentsOf),
]);

function tool(name: string, argumentsOf: (tenant: Tenant, numbers: Numbers) => object): Deed {
  return asks(
    'POST',
    () => '/mcp',
    (tenant, numbers) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: argumentsOf(tenant, numbers) },
    }),
  );
}

/** Lists that are watched, and one run. */
const STREAMS: Readonly<Record<string, Deed>> = {
  'stream of runs': (tenant, numbers) => watched(tenant, '/runs', numbers),
  'stream of gates': (tenant, numbers) => watched(tenant, '/gates', numbers),
  'stream of a run': async (tenant, [a]) => {
    const path = `${inPath(tenant.run(a))}/events`;
    const { status, body } = await tenant.call('GET', path);
    const stream = await tenant.stream(path);
    const count = status === 200 ? (body.events ?? body.items ?? []).length : 0;
    if (status === 200) await stream.until((events) => events.length >= count);
    else await stream.over;
    stream.leave();
    return {
      status: stream.status,
      frames: stream.events.slice(0, count),
      refused: status !== 200 && stream.text(),
    };
  },
};

export const DEEDS: ReadonlyMap<string, Deed> = new Map([
  ...Object.entries(ROUTES),
  ...toolDeeds,
  ...Object.entries(STREAMS),
]);

/** Ends the stream that the tenant has held, if there is one, and opens another, under which the next requests are made. */
async function watched(tenant: Tenant, path: string, [a, b]: Numbers): Promise<unknown> {
  const told = await released(tenant);
  const lastId = path === '/events' && a % 3 === 2 ? tenant.own('eventIds', b) : undefined;
  const stream = await tenant.stream(path, lastId);
  if (stream.status === 200) tenant.held = { path, stream };
  else await stream.over;
  return { status: stream.status, refused: stream.status === 200 ? null : JSON.parse(stream.text()), told };
}

/**
 * What a held stream told, once a run of the tenant's own has gone by at its end: which runs it was about, and, of events, all.
 * Changes of a list come together where they are quick.
 */
export async function released(tenant: Tenant): Promise<unknown> {
  const { held } = tenant;
  if (held === null) return null;
  tenant.held = null;
  const { path, stream } = held;
  const last = await tenant.call('POST', '/workflows/shared/runs', { sync: true });
  const { runId } = last.body as { readonly runId: string };
  await stream.until((events) => events.some(({ event, data }) => isLast(event, data, runId)));
  stream.leave();
  const told = JSON.stringify(stream.events);
  for (const { id } of stream.events) if (path === '/events' && id !== '') tenant.learned.eventIds.push(id);
  if (path === '/events')
    return stream.events
      .slice(0, 1 + stream.events.findIndex(({ event, data }) => isLast(event, data, runId)))
      .map(({ event, data }) => ({ event, data: data as unknown }));
  return {
    about: tenant.learned.runs.map((run) => told.includes(run.runId)),
    others: idsIn(told).filter((id) => !isOwn(tenant, id)).length,
  };
}

/** Whether the frame tells that the run waits at its gate. */
function isLast(event: string, data: unknown, runId: string): boolean {
  const text = JSON.stringify(data) ?? '';
  return (
    text.includes(runId) &&
    (event === 'gate.opened' || text.includes('"waitingFor":"gate"') || text.includes('"gateId"'))
  );
}

const idsIn = (text: string): readonly string[] => [
  ...new Set(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g)),
];
const isOwn = (tenant: Tenant, id: string): boolean => tenant.learned.runs.some(({ runId }) => runId === id);

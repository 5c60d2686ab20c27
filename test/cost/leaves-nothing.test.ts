import { request as httpRequest, type Server as HttpServer } from 'node:http';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Server } from '@modelcontextprotocol/server';
import { OfficialGateway } from '../../src/mcp/official/official-gateway.js';
import { SessionTransport } from '../../src/mcp/official/sessions/session-transport.js';
import { beginSession, post2025 } from '../support/mcp-clients.js';
import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, mock, remote } from '../support/workflow-documents.js';

const CALLS = 1_000;
const MAX_SESSIONS = 200;
/** The service has signals and timers of its own, which come and go: a leak in one of a hundred calls would be noticed. */
const A_FEW = CALLS / 100;
/** Of every ten calls one is given up, and one loses its connection; both while their runs continue. */
const KINDS = [
  'waits',
  'waits',
  'waits',
  'waits',
  'waits',
  'is told',
  'is told',
  'is told',
  'gives up',
  'is cut',
];

/** The memory that an idle session may take; there may be 1,000 of them. */
const MAX_SESSION_BYTES = 30 * 1024;
/** How much more the heap may grow than by the same runs over HTTP. */
const MAX_GROWTH_BYTES = 2 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let service: Service;
let unit: UnitServer;
let release: () => void;
const warnings: string[] = [];
/** Not that the test counts objects in an experimental way. */
const warned = ({ name, message }: Error): void => {
  if (name !== 'ExperimentalWarning') warnings.push(message);
};

beforeEach(async () => {
  const released = Promise.withResolvers<void>();
  release = () => released.resolve();
  unit = await startUnitServer(async () => {
    await released.promise;
    return { body: { content: 'at last' } };
  });
  service = await startService({
    FLOWGATE_MCP_MAX_SESSIONS: String(MAX_SESSIONS),
    FLOWGATE_MCP_WAIT_MS: '600000',
  });
  await service.register(document('three', [mock('a'), mock('b'), mock('c')]));
  await service.register(document('slow', [remote('wait')]), bound('wait', unit.url));
  process.on('warning', warned);
});
afterEach(async () => {
  process.off('warning', warned);
  release();
  await service.close();
  await unit.close();
});

interface Serving {
  readonly sessionCount: number;
  readonly isBusy: boolean;
}

async function serving(): Promise<Serving> {
  const gateway = service.app.get(OfficialGateway, { strict: false }) as unknown as {
    readonly profile: Promise<{ readonly serving: Serving }>;
  };
  return (await gateway.profile).serving;
}

/** The number of instances once all garbage is collected. */
const alive = (ofClass: abstract new (...given: never[]) => unknown): number =>
  queryObjects(ofClass as never, { format: 'count' }) as unknown as number;

const timer = setTimeout(() => undefined, 0);
const Timeout = timer.constructor as abstract new () => unknown;

/** Objects that others may hold, too. Each count walks the whole heap, which takes seconds in a worker after other tests. */
const held = () => ({ signals: alive(AbortSignal), timers: alive(Timeout) });

/** Closes the connections that are kept alive, and waits until finalizers have run. */
async function settled(): Promise<void> {
  await eventually(
    () => {
      server().closeIdleConnections();
      return connections();
    },
    (open) => open === 0,
  );
  for (let round = 0; round < 4; round++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const server = () => service.app.getHttpServer() as HttpServer;
const connections = (): Promise<number> =>
  new Promise((resolve) => server().getConnections((_, count) => resolve(count)));

async function heapBytes(): Promise<number> {
  await settled();
  return process.memoryUsage().heapUsed;
}

const BOTH = 'application/json, text/event-stream';
const META = 'io.modelcontextprotocol';

/** The form of a call of a tool on the wire. */
type Way = (
  id: number,
  workflowId: string,
  meta: object,
) => { readonly headers: Headers; readonly body: string };
type Headers = Readonly<Record<string, string>>;

function way(headers: Headers, always: object = {}): Way {
  return (id, workflowId, meta) => {
    const params = {
      name: 'run_workflow',
      arguments: { workflowId, sync: true },
      _meta: { ...always, ...meta },
    };
    return {
      headers: { accept: BOTH, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    };
  };
}
const modern = way(
  { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'run_workflow' },
  {
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientInfo`]: { name: 'test', version: '1' },
    [`${META}/clientCapabilities`]: {},
  },
);
const older = { 'mcp-protocol-version': '2025-11-25' };
const alone = way(older);
const within = (id: string): Way => way({ ...older, 'mcp-session-id': id });

interface Sent {
  /** The whole response; rejects where the connection was cut. */
  readonly text: Promise<string>;
  cut(): void;
}

function send({ headers, body }: ReturnType<Way>): Sent {
  const request = httpRequest(`${service.url}/mcp`, { method: 'POST', headers });
  const text = new Promise<string>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      let all = '';
      response.on('data', (chunk: Buffer) => (all += chunk.toString()));
      response.on('error', reject);
      response.on('end', () => resolve(all));
    });
  });
  request.end(body);
  return { text, cut: () => request.destroy() };
}

const gone = (text: Promise<string>): Promise<unknown> => text.catch(() => undefined);

/** Makes so many calls at once, of all kinds; resolves when none is waited for, while the slow runs continue. */
async function callAtOnce(count: number, sessions: readonly string[]): Promise<void> {
  const seen = unit.requests.length;
  const fast: Promise<string>[] = [];
  const slow: (() => Promise<unknown>)[] = [];
  for (let id = 1; id <= count; id++) {
    const session = sessions[id % sessions.length]!;
    const one = [modern, within(session), alone][id % 3]!;
    switch (KINDS[Math.floor(id / 3) % KINDS.length]) {
      case 'waits':
        fast.push(send(one(id, 'three', {})).text);
        break;
      case 'is told':
        fast.push(send(one(id, 'three', { progressToken: id })).text);
        break;
      case 'gives up': {
        // A client without a session gives up by disconnecting.
        const { text, cut } = send(one(id, 'slow', id % 2 === 0 ? { progressToken: id } : {}));
        const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
        slow.push(async () => {
          if (id % 3 === 1) await post2025(service, cancel, { 'mcp-session-id': session });
          else cut();
          await gone(text);
        });
        break;
      }
      default: {
        const { text, cut } = send(one(id, 'slow', id % 2 === 0 ? { progressToken: id } : {}));
        slow.push(() => (cut(), gone(text)));
      }
    }
  }
  for (const text of await Promise.all(fast)) expect(text).toContain('"completed"');
  await unit.received(seen + slow.length);
  await Promise.all(slow.map((giveUp) => giveUp()));
  await eventually(
    async () => (await serving()).isBusy,
    (isBusy) => !isBusy,
  );
}

const begin = (count: number) => Promise.all(Array.from({ length: count }, () => beginSession(service)));
const end = (id: string) => service.call('DELETE', '/mcp', { headers: { ...older, 'mcp-session-id': id } });

it('1,000 calls at once leave no session, server, listener or timer', async () => {
  await callAtOnce(60, await begin(2));
  await settled();
  const before = held();

  // The first ones are evicted for the others.
  await begin(MAX_SESSIONS);
  const sessions = await begin(MAX_SESSIONS);
  await callAtOnce(CALLS, sessions);
  expect((await serving()).sessionCount).toBe(MAX_SESSIONS);
  for (const id of sessions) expect((await end(id)).status).toBe(200);
  expect((await serving()).sessionCount).toBe(0);

  await settled();
  expect([alive(Server), alive(SessionTransport)]).toEqual([0, 0]);
  const after = held();
  expect(after.signals).toBeLessThan(before.signals + A_FEW);
  expect(after.timers).toBeLessThan(before.timers + A_FEW);
  expect(warnings).toEqual([]);
}, 300_000);

it('1,000 calls leave no more in the heap than the same runs over HTTP', async () => {
  const [session = ''] = await begin(1);
  const overHttp = () => service.start('three');
  const overMcp = (id: number) => send([modern, within(session), alone][id % 3]!(id, 'three', {})).text;
  const growth = async (one: (id: number) => Promise<unknown>): Promise<number> => {
    const before = await heapBytes();
    for (let id = 0; id < CALLS; id += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => one(id + index)));
    }
    return (await heapBytes()) - before;
  };
  // What is made only once is made here.
  await growth(overMcp);
  const ofRuns = await growth(overHttp);
  expect((await growth(overMcp)) - ofRuns).toBeLessThan(MAX_GROWTH_BYTES);
}, 300_000);

it('an idle session takes little memory', async () => {
  await Promise.all((await begin(MAX_SESSIONS)).map(end));
  const before = await heapBytes();
  await begin(MAX_SESSIONS);
  expect(((await heapBytes()) - before) / MAX_SESSIONS).toBeLessThan(MAX_SESSION_BYTES);
}, 300_000);

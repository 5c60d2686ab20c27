import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Engine } from '../../src/index.js';
import { forward } from '../support/forward.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';
import { pageAt, visit } from './support/browser.js';
import { hostileSite, type Attempt, type HostileSite } from './support/hostile-page.js';

/** What a browser sent, and how it was answered. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly site: unknown;
  readonly origin: string | undefined;
  readonly status: number;
}

interface Target {
  readonly service: Service;
  readonly runId: string;
  /** How often the unit before the gate was called, and the one after it. */
  readonly calls: { before: number; behind: number };
  readonly seen: Seen[];
  readonly attempts: readonly Attempt[];
}

/** A service with a run that waits at its gate. */
async function target(environment: Readonly<Record<string, string>> = {}): Promise<Target> {
  const service = await startService(environment);
  const calls = { before: 0, behind: 0 };
  const engine = service.app.get(Engine);
  engine.registerUnit('test.before', () => ({ content: (calls.before += 1) }));
  engine.registerUnit('test.behind', () => ({ content: (calls.behind += 1) }));
  const units = [{ id: 'a', uses: 'test.before' }, gate('agree'), { id: 'b', uses: 'test.behind' }];
  await service.register(document('gated', units));
  const { runId } = await service.start('gated');
  const run = `/workflows/gated/runs/${runId}`;
  const tool = { name: 'run_workflow', arguments: { workflowId: 'gated' } };
  return {
    service,
    runId,
    calls,
    seen: watch(service.app.getHttpServer() as Server),
    attempts: [
      { path: '/workflows/from-yaml', body: JSON.stringify({ yaml: document('evil', [mock('a')]) }) },
      { path: '/workflows/gated/runs', body: '{"input":{}}' },
      { path: `${run}/hitl`, body: '{"approved":true}' },
      { path: `${run}/resume`, body: '{"snapshotId":null}' },
      { path: '/mcp', body: JSON.stringify({ id: 1, method: 'tools/call', params: tool }) },
    ],
  };
}

function watch(server: Server): Seen[] {
  const seen: Seen[] = [];
  server.prependListener('request', ({ method = '', url: path = '', headers }: IncomingMessage, response) => {
    if (headers['user-agent']?.includes('Mozilla') !== true) return;
    const { origin, 'sec-fetch-site': site } = headers;
    response.once('finish', () => seen.push({ method, path, site, origin, status: response.statusCode }));
  });
  return seen;
}

const changing = (seen: readonly Seen[]) => seen.filter(({ method }) => !['GET', 'OPTIONS'].includes(method));
const valuesOf = <K extends keyof Seen>(seen: readonly Seen[], key: K) =>
  new Set(seen.map((one) => one[key]));

let hostile: HostileSite;
beforeEach(async () => {
  hostile = await hostileSite();
});
afterEach(() => hostile.close());

describe('a page of another origin, whatever it tries', () => {
  it.each([
    ['of another site', 'hostile.test', 'cross-site'],
    ['of another port of this machine', '127.0.0.1', 'same-site'],
  ])('%s changes nothing and reads nothing', async (_name, host, site) => {
    const { service, runId, calls, seen, attempts } = await target();
    hostile.aim(service.url, attempts);
    const read = await visit(`http://${host}:${hostile.port}/`, () => hostile.report);

    expect(read).toEqual([]);
    expect((await service.get('/workflows')).body.workflows).toEqual(['gated']);
    expect(calls).toEqual({ before: 1, behind: 0 });
    expect(await service.run({ workflowId: 'gated', runId })).toMatchObject({ status: 'paused' });
    // It did try: by forms, from a sandbox, by fetch and by beacon.
    const tries = changing(seen);
    for (const { path } of attempts) {
      expect(tries.filter((one) => one.path === path).length).toBeGreaterThanOrEqual(8);
    }
    expect(valuesOf(tries, 'status')).toEqual(new Set([403]));
    expect(valuesOf(tries, 'site')).toContain(site);
    expect(valuesOf(tries, 'origin')).toContain('null');
    await service.close();
  });

  it('changes nothing where the browser says nothing of sites, because the name is not one it trusts', async () => {
    const { service, calls, seen, attempts } = await target({ FLOWGATE_ALLOWED_HOSTS: 'flow.test' });
    hostile.aim(service.url.replace('127.0.0.1', 'flow.test'), attempts);
    const read = await visit(`http://hostile.test:${hostile.port}/`, () => hostile.report);

    expect(read).toEqual([]);
    expect((await service.get('/workflows')).body.workflows).toEqual(['gated']);
    expect(calls).toEqual({ before: 1, behind: 0 });
    expect(valuesOf(changing(seen), 'status')).toEqual(new Set([403]));
    expect(valuesOf(seen, 'site')).toEqual(new Set([undefined]));
    await service.close();
  });

  it('would have changed everything, were its origin an allowed one', async () => {
    const { service, runId, calls, attempts } = await target({
      FLOWGATE_ALLOWED_ORIGINS: `http://hostile.test:${hostile.port}`,
    });
    hostile.aim(service.url, attempts);
    const read = await visit(`http://hostile.test:${hostile.port}/`, () => hostile.report);

    // Being served is not being shown: there are no CORS headers for anyone.
    expect(read).toEqual([]);
    expect((await service.get('/workflows')).body.workflows).toEqual(['gated', 'evil']);
    expect(calls.before).toBeGreaterThan(5);
    expect(calls.behind).toBe(1);
    expect(await service.run({ workflowId: 'gated', runId })).toMatchObject({ status: 'completed' });
    await service.close();
  });
});

it('a page that comes from the same origin as the service, by way of a proxy, is served', async () => {
  const { service, runId, calls, attempts } = await target();
  const proxy = createServer((request, response) => {
    const port = request.url === '/' || request.url === '/report' ? hostile.port : new URL(service.url).port;
    forward(request, response, { port: Number(port) });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  hostile.aim(origin, attempts);
  const read = await visit(`${origin}/`, () => hostile.report);

  expect(read.some((text) => text.startsWith('/workflows {"workflows":["gated'))).toBe(true);
  expect(calls.behind).toBe(1);
  expect(await service.run({ workflowId: 'gated', runId })).toMatchObject({ status: 'completed' });
  proxy.close();
  proxy.closeAllConnections();
  await service.close();
});

it('a name that was pointed at this machine opens nothing', async () => {
  const { service, seen } = await target();
  const page = await pageAt(`${service.url.replace('127.0.0.1', 'rebound.test')}/workflows`);
  expect(page).toContain('foreign-host');
  expect(page).not.toContain('gated');
  expect(await pageAt(`${service.url}/workflows`)).toContain('gated');
  const { status } = seen.find(({ path }) => path === '/workflows')!;
  expect(status).toBe(403);
  await service.close();
});

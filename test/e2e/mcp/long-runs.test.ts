import type { Progress } from '@modelcontextprotocol/client';
import { OfficialGateway } from '../../../src/mcp/official/official-gateway.js';
import {
  beginSession,
  connectMcp,
  post2025,
  post2026,
  REVISIONS,
  textsOf,
  dataOf,
  type ClientSetup,
  type McpClient,
} from '../../support/mcp-clients.js';
import { answerOn, open } from '../../support/raw-request.js';
import { eventually } from '../../support/eventually.js';
import { startService, type Service } from '../../support/service.js';
import { startUnitServer, type UnitServer } from '../../support/unit-server.js';
import { bound, document, gate, mock, remote } from '../../support/workflow-documents.js';

let service: Service;
let unit: UnitServer;
/** Lets the slow unit complete. */
let release: () => void;
const clients: McpClient[] = [];

beforeEach(async () => {
  const released = Promise.withResolvers<void>();
  release = () => released.resolve();
  unit = await startUnitServer(async () => {
    await released.promise;
    return { body: { content: 'at last' } };
  });
});
afterEach(async () => {
  release();
  await Promise.all(clients.splice(0).map((mcp) => mcp.close()));
  await service.close();
  await unit.close();
});

async function start(environment: Record<string, string> = {}): Promise<void> {
  service = await startService(environment);
  await service.register(document('slow', [mock('quick'), remote('wait')]), bound('wait', unit.url));
  await service.register(document('three', [mock('a'), mock('b', 1, { if: 'false' }), mock('c')]));
  await service.register(document('gated', [gate('agree'), mock('b')]));
  await service.register(document('paused', [mock('a', 1, { pause: 'after' }), mock('b')]));
}

async function client(revision: (typeof REVISIONS)[number], setup: ClientSetup = {}): Promise<McpClient> {
  const mcp = await connectMcp(service, revision, setup);
  clients.push(mcp);
  return mcp;
}

/** Whether a call waits for its response. */
async function isBusy(): Promise<boolean> {
  const gateway = service.app.get(OfficialGateway, { strict: false }) as unknown as {
    readonly profile: Promise<{ readonly serving: { readonly isBusy: boolean } }>;
  };
  return (await gateway.profile).serving.isBusy;
}
const isIdle = () => eventually(isBusy, (busy) => !busy);

/** The runs that have called the slow unit. */
const runs = () =>
  Promise.all(
    unit.requests.map(({ headers }) =>
      service.run({ workflowId: 'slow', runId: String(headers['x-flowgate-run-id']) }),
    ),
  );
const onlyRun = async () => {
  const all = await runs();
  expect(all).toHaveLength(1);
  return all[0]!;
};
const ends = async () => {
  release();
  const record = await eventually(onlyRun, ({ status }) => status !== 'running');
  expect(record).toMatchObject({ status: 'completed', result: { completedUnits: ['quick', 'wait'] } });
};

describe.each(REVISIONS)('a client of %s', (revision) => {
  it('is notified what every unit does, when it sent a token', async () => {
    await start();
    const mcp = await client(revision);
    const seen: Progress[] = [];
    const call = { name: 'run_workflow', arguments: { workflowId: 'three', sync: true } };
    const result = await mcp.client.callTool(call, { onprogress: (progress) => void seen.push(progress) });
    expect(dataOf(result).status).toBe('completed');
    expect(seen.map(({ message }) => message)).toEqual([
      `run ${dataOf(result).runId}`,
      'a began',
      'a finished',
      'b was skipped',
      'c began',
      'c finished',
    ]);
    expect(seen.map(({ progress }) => progress)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is notified of what is new when a run continues', async () => {
    await start();
    const mcp = await client(revision);
    const { workflowId, runId } = await service.start('paused');
    const seen: unknown[] = [];
    const call = { name: 'resume_run', arguments: { workflowId, runId } };
    const result = await mcp.client.callTool(call, { onprogress: ({ message }) => void seen.push(message) });
    expect([dataOf(result).status, seen]).toEqual(['completed', [`run ${runId}`, 'b began', 'b finished']]);
  });

  it('is notified of a gate, and what follows it', async () => {
    await start();
    const person = () => ({ action: 'accept' as const, content: { approved: true } });
    const mcp = await client(revision, { person });
    const seen: unknown[] = [];
    const call = { name: 'run_workflow', arguments: { workflowId: 'gated', sync: true } };
    const result = await mcp.client.callTool(call, { onprogress: ({ message }) => void seen.push(message) });
    expect(dataOf(result).status).toBe('completed');
    expect(seen[1]).toBe('agree waits for a person');
  });

  it.each([false, true])(
    'waits no longer than the service lets it, and is told how to follow the run (progress: %s)',
    async (withProgress) => {
      await start({ FLOWGATE_MCP_WAIT_MS: '50' });
      const mcp = await client(revision);
      const call = { name: 'run_workflow', arguments: { workflowId: 'slow', sync: true } };
      const result = await mcp.client.callTool(call, withProgress ? { onprogress: () => undefined } : {});
      const { workflowId, runId } = dataOf(result);
      expect([result.isError, dataOf(result).status]).toEqual([undefined, 'running']);
      expect(textsOf(result)[1]).toContain(`get_run with ${JSON.stringify({ workflowId, runId })}`);
      await isIdle();
      release();
      const read = () => mcp.tool('get_run', { workflowId, runId }).then(dataOf);
      expect((await eventually(read, ({ status }) => status !== 'running')).status).toBe('completed');
    },
  );

  it.each([false, true])(
    'gives up waiting, which does not end the run (progress: %s)',
    async (withProgress) => {
      await start();
      const mcp = await client(revision);
      const gaveUp = new AbortController();
      const call = { name: 'run_workflow', arguments: { workflowId: 'slow', sync: true } };
      const options = { signal: gaveUp.signal, ...(withProgress ? { onprogress: () => undefined } : {}) };
      const waiting = mcp.client.callTool(call, options);
      await unit.received(1);
      gaveUp.abort();
      await expect(waiting).rejects.toThrow(/abort/i);
      await isIdle();
      expect((await onlyRun()).status).toBe('running');
      // The client works as before.
      expect((await mcp.client.listTools()).tools).toHaveLength(9);
      await ends();
    },
  );

  it('disconnects, which does not end the run either', async () => {
    await start();
    const mcp = await client(revision);
    const call = { name: 'run_workflow', arguments: { workflowId: 'slow', sync: true } };
    const waiting = mcp.client.callTool(call, { onprogress: () => undefined });
    await unit.received(1);
    await mcp.close();
    await expect(waiting).rejects.toThrow('Connection closed');
    await isIdle();
    await ends();
  });
});

it('a connection that breaks in the middle of a call leaves nothing that waits', async () => {
  await start();
  const id = await beginSession(service);
  const params = { name: 'run_workflow', arguments: { workflowId: 'slow', sync: true } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  let calls = 0;
  for (const session of [`Mcp-Session-Id: ${id}\r\n`, '']) {
    const socket = await open(service.url);
    const over = answerOn(socket);
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n' +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${session}\r\n${body}`,
    );
    await unit.received((calls += 1));
    socket.destroy();
    await over;
    await isIdle();
  }
  expect((await runs()).map(({ status }) => status)).toEqual(['running', 'running']);
});

it('a second concurrent request with the same id is refused', async () => {
  await start();
  const id = await beginSession(service);
  const headers = { 'mcp-session-id': id };
  const params = { name: 'run_workflow', arguments: { workflowId: 'slow', sync: true } };
  const first = post2025(service, { jsonrpc: '2.0', id: 7, method: 'tools/call', params }, headers);
  await unit.received(1);
  const second = await post2025(service, { jsonrpc: '2.0', id: 7, method: 'ping' }, headers);
  expect([second.status, second.body.error.code]).toEqual([400, -32600]);
  release();
  expect((await first).body.result.structuredContent.status).toBe('completed');
  expect((await post2025(service, { jsonrpc: '2.0', id: 7, method: 'ping' }, headers)).body.result).toEqual(
    {},
  );
});

it('many calls at once leave no session and nothing that waits', async () => {
  await start({ FLOWGATE_MCP_MAX_SESSIONS: '10' });
  const gateway = service.app.get(OfficialGateway, { strict: false });
  const params = { name: 'run_workflow', arguments: { workflowId: 'three', sync: true } };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answers = await Promise.all(Array.from({ length: 200 }, () => post2025(service, call)));
  expect(new Set(answers.map(({ body }) => body.result.structuredContent.status))).toEqual(
    new Set(['completed']),
  );
  expect([await gateway.sessionCount(), await isBusy()]).toEqual([0, false]);
});

describe.each(REVISIONS)('a service that shuts down while a client of %s waits', (revision) => {
  it.each([false, true])('answers it, and ends (progress: %s)', async (withProgress) => {
    await start({ FLOWGATE_SHUTDOWN_GRACE_MS: '100' });
    const mcp = await client(revision);
    await client('2026-07-28').then((modern) => modern.client.listen({ toolsListChanged: true }));
    const call = { name: 'run_workflow', arguments: { workflowId: 'slow', sync: true } };
    const waiting = mcp.client.callTool(call, withProgress ? { onprogress: () => undefined } : {});
    await unit.received(1);
    const from = Date.now();
    const closed = service.app.close();
    expect(dataOf(await waiting).status).toBe('running');
    await closed;
    expect(Date.now() - from).toBeLessThan(15_000);
  });
});

it('a client that arrives while the service shuts down is told so in the form of its profile', async () => {
  await start({ FLOWGATE_SHUTDOWN_GRACE_MS: '600' });
  await post2025(service, { jsonrpc: '2.0', id: 1, method: 'ping' });
  await service.start('slow', {});
  await unit.received(1);
  const closed = service.app.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const params = { name: 'run_workflow', arguments: { workflowId: 'three' } };
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
  const [plain, older, newer] = await Promise.all([
    service.post('/mcp', call),
    post2025(service, call),
    post2026(service, 'tools/call', params, { id: 7 }),
  ]);
  const error = { code: -32000, message: expect.stringContaining('shutting down') };
  expect([plain.status, plain.body]).toEqual([200, { jsonrpc: '2.0', id: 7, error }]);
  expect([older.status, older.body]).toEqual([503, { jsonrpc: '2.0', id: null, error }]);
  expect([newer.status, newer.body]).toEqual([503, { jsonrpc: '2.0', id: null, error }]);
  await closed;
});

it('a call that was given up leaves no timer', async () => {
  await start();
  const id = await beginSession(service);
  const headers = { 'mcp-session-id': id };
  const timers = () => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
  const params = {
    name: 'run_workflow',
    arguments: { workflowId: 'slow', sync: true },
    _meta: { progressToken: 1 },
  };
  const before = timers();
  const waiting = post2025(service, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
  await unit.received(1);
  expect(timers()).toBeGreaterThan(before);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect((await post2025(service, cancelled, headers)).status).toBe(202);
  // The stream ends without a response.
  expect((await waiting).text).not.toContain('"result"');
  release();
  await eventually(onlyRun, ({ status }) => status !== 'running');
  await eventually(
    async () => timers(),
    (count) => count <= before,
  );
});

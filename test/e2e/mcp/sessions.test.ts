/**
 * It sets the clock of the process ahead, and what had read it stays ahead.
 * @jest-environment node
 */
import { get as httpGet, type IncomingMessage } from 'node:http';
import { jest } from '@jest/globals';
import { SqliteRunStore, type FlowgateModuleOptions, type HostRequest } from '../../../src/index.js';
import { OfficialGateway } from '../../../src/mcp/official/official-gateway.js';
import { builtWorkers } from '../../support/built-worker.js';
import { temporaryFolder } from '../../support/data-folder.js';
import { startHosted } from '../../support/hosted-service.js';
import {
  beginSession,
  connectMcp,
  messageOf,
  messagesOf,
  post2025,
  post2026,
  textsOf,
  dataOf,
  type McpClient,
} from '../../support/mcp-clients.js';
import { eventually } from '../../support/eventually.js';
import { startService, type Service } from '../../support/service.js';
import { startUnitServer } from '../../support/unit-server.js';
import { bound, document, gate, mock, remote } from '../../support/workflow-documents.js';

let service: Service;
const clients: McpClient[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(clients.splice(0).map((mcp) => mcp.close()));
  await service.close();
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const inSession = (id: string, body: unknown = ping, headers: Record<string, string> = {}) =>
  post2025(service, body, { 'mcp-session-id': id, ...headers });
const call = (name: string, args: object, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const sessionCount = () => service.app.get(OfficialGateway, { strict: false }).sessionCount();

const agreeing = { person: () => ({ action: 'accept' as const, content: { approved: true } }) };
async function client(...setup: Parameters<typeof connectMcp> extends [unknown, ...infer R] ? R : never) {
  const mcp = await connectMcp(service, ...setup);
  clients.push(mcp);
  return mcp;
}
const registerGated = () => service.register(document('gated', [gate('agree'), mock('b')]));

/** Resolves with a GET that listens, once its headers have arrived. */
function listen(id: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
    httpGet(`${service.url}/mcp`, { headers, agent: false }, resolve).on('error', reject);
  });
}
const heard = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
};

describe('a session', () => {
  it('begins with initialize, and ends with DELETE', async () => {
    service = await startService();
    const id = await beginSession(service);
    expect(id).toMatch(/^[\x21-\x7e]+$/);
    expect((await inSession(id)).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await sessionCount()).toBe(1);
    const headers = { 'mcp-session-id': id };
    expect((await service.call('DELETE', '/mcp', { headers })).status).toBe(200);
    expect(await sessionCount()).toBe(0);
    expect((await inSession(id)).status).toBe(404);
    expect((await service.call('DELETE', '/mcp', { headers })).status).toBe(404);
    expect((await service.call('GET', '/mcp', { headers })).status).toBe(404);
  });

  it('is not shared: two clients that are alike have one each', async () => {
    service = await startService();
    const [one, two] = [await beginSession(service), await beginSession(service)];
    expect(one).not.toBe(two);
    await service.call('DELETE', '/mcp', { headers: { 'mcp-session-id': one } });
    expect([(await inSession(one)).status, (await inSession(two)).status]).toEqual([404, 200]);
  });

  it.each([
    ['short', 'x'],
    ['of the right form', 'v1.e30.AAAA'],
    ['long', `v1.${'A'.repeat(5_000)}`],
    ['a path', '../..'],
    ['empty', ' '],
  ])('that the service has not begun is 404: %s', async (_name, id) => {
    service = await startService();
    const { status, body } = await inSession(id);
    expect([status, body.error]).toEqual([
      404,
      { code: -32001, message: expect.stringContaining('initialize') },
    ]);
    expect(await sessionCount()).toBe(0);
  });

  it('that was changed, or that another service has begun, is 404', async () => {
    service = await startService();
    const other = await startService();
    const id = await beginSession(service);
    const middle = Math.floor(id.length / 2);
    const changed = `${id.slice(0, middle)}${id[middle] === 'A' ? 'B' : 'A'}${id.slice(middle + 1)}`;
    const foreign = await beginSession(other);
    await other.close();
    expect([(await inSession(changed)).status, (await inSession(foreign)).status]).toEqual([404, 404]);
  });

  it('of another principal is 404', async () => {
    const byHeader = ({ headers }: HostRequest) => headers['x-person']?.toString();
    service = await startHosted({ actor: byHeader });
    const ada = { 'x-person': 'ada' };
    const id = await beginSession(service, { headers: ada });
    expect(id).not.toContain(Buffer.from('ada').toString('base64url'));
    expect((await inSession(id, ping, { 'x-person': 'eve' })).status).toBe(404);
    expect((await inSession(id)).status).toBe(404);
    const end = { headers: { 'mcp-session-id': id, 'x-person': 'eve' } };
    expect((await service.call('DELETE', '/mcp', end)).status).toBe(404);
    expect((await inSession(id, ping, ada)).status).toBe(200);
  });

  it('serves no request of 2026-07-28, which needs none', async () => {
    service = await startService();
    const headers = { 'mcp-session-id': await beginSession(service) };
    const { status, body } = await post2026(service, 'tools/list', {}, { headers });
    expect([status, body.result.resultType]).toEqual([200, 'complete']);
  });

  it('is not needed: a request without one is answered for itself', async () => {
    service = await startService();
    await registerGated();
    const { body } = await post2025(service, call('run_workflow', { workflowId: 'gated', sync: true }));
    expect(body.result.structuredContent.status).toBe('paused');
    expect(await sessionCount()).toBe(0);
  });
});

describe('when there are too many', () => {
  it('the one that was used longest ago is evicted, and its client does not notice', async () => {
    service = await startHosted({ mcp: { maxSessions: 1 } });
    await registerGated();
    const [one, two] = [await client('2025-11-25', agreeing), await client('2025-11-25', agreeing)];
    for (const mcp of [one, two, one, two]) {
      expect(await sessionCount()).toBe(1);
      const record = dataOf(await mcp.tool('run_workflow', { workflowId: 'gated', sync: true }));
      // The client was asked and has answered: its capabilities are still known.
      expect(record.status).toBe('completed');
    }
  });

  it('and all come back at once, each is served, then or on a retry', async () => {
    service = await startHosted({ mcp: { maxSessions: 1 } });
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) ids.push(await beginSession(service));
    const statuses = await Promise.all(ids.map(async (id) => (await inSession(id)).status));
    expect(statuses.filter((status) => ![200, 400, 503].includes(status))).toEqual([]);
    for (const id of ids) expect((await inSession(id)).status).toBe(200);
    expect(await sessionCount()).toBe(1);
  });

  it('and every one has something in progress, the next is told to retry later', async () => {
    service = await startHosted({ mcp: { maxSessions: 1 } });
    const released = Promise.withResolvers<void>();
    const unit = await startUnitServer(async () => {
      await released.promise;
      return { body: { content: 1 } };
    });
    await service.register(document('slow', [remote('a')]), bound('a', unit.url));
    const [idle, busy] = [await beginSession(service), await beginSession(service)];
    const waiting = inSession(busy, call('run_workflow', { workflowId: 'slow', sync: true }));
    await unit.received(1);
    await expect(beginSession(service)).rejects.toThrow(/503 .*try again later/);
    expect((await inSession(idle)).status).toBe(503);
    released.resolve();
    expect((await waiting).status).toBe(200);
    expect((await inSession(idle)).status).toBe(200);
    expect((await beginSession(service)).length).toBeGreaterThan(0);
    await unit.close();
  });
});

describe('a session that nobody uses', () => {
  it('is evicted after a while, and continues when its client comes back', async () => {
    const every = jest.spyOn(globalThis, 'setInterval');
    const stopped = jest.spyOn(globalThis, 'clearInterval');
    service = await startService();
    await registerGated();
    const mcp = await client('2025-11-25', agreeing);
    const sweeps = every.mock.calls.flatMap(([sweep, ms], n) =>
      ms === 60_000 ? [{ sweep, timer: every.mock.results[n]?.value }] : [],
    );
    expect(sweeps).toHaveLength(1);
    const [{ sweep, timer }] = sweeps as [(typeof sweeps)[number]];
    /** Runs the sweep as if so much time had passed. */
    const sweepAfter = (ms: number): void => {
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);
      sweep();
      now.mockRestore();
    };
    const stream = await listen(await beginSession(service));
    const idle = await beginSession(service);
    sweepAfter(240_000);
    expect(await sessionCount()).toBe(3);
    // Two sessions have a listener: the GET, and that of the client.
    sweepAfter(301_000);
    expect(await sessionCount()).toBe(2);
    expect((await inSession(idle)).status).toBe(200);
    expect(await sessionCount()).toBe(3);
    stream.destroy();
    await mcp.close();
    const isOver = async () => {
      sweepAfter(301_000);
      return sessionCount();
    };
    expect(await eventually(isOver, (count) => count === 0)).toBe(0);
    expect(stopped.mock.calls.map(([one]) => one)).toContain(timer);
  });
});

describe('after a restart of the service', () => {
  const encryptionKey = new Uint8Array(32).fill(7);

  /** `again` restarts it on the same data. */
  const restarted = async (
    options: FlowgateModuleOptions,
    use: (again: () => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const folder = await temporaryFolder();
    const start = async (): Promise<void> => {
      const store = new SqliteRunStore({ folder: folder.path, workers: builtWorkers });
      service = await startHosted({ ...options, store });
      await registerGated();
    };
    await start();
    try {
      await use(async () => {
        await service.close();
        await start();
      });
    } finally {
      await folder.remove();
    }
  };

  it('with an encryption key a session continues, and its client can be asked', async () => {
    await restarted({ encryptionKey }, async (again) => {
      const capabilities = { elicitation: { form: {} } };
      const sessionId = await beginSession(service, { capabilities });
      await again();
      const mcp = await client('2025-11-25', { ...agreeing, sessionId });
      const record = dataOf(await mcp.tool('run_workflow', { workflowId: 'gated', sync: true }));
      expect(record.status).toBe('completed');
    });
  });

  it('without one it is over', async () => {
    await restarted({}, async (again) => {
      const id = await beginSession(service);
      await again();
      expect((await inSession(id)).status).toBe(404);
    });
  });

  it('several requests at once restore it once', async () => {
    await restarted({ encryptionKey }, async (again) => {
      const id = await beginSession(service);
      await again();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => inSession(id, call('list_workflows', {}, n))),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(answers.map(({ body }) => body.id)).toEqual(Array.from({ length: 20 }, (_, n) => n));
      expect(await sessionCount()).toBe(1);
    });
  });

  it('a question of 2026-07-28 is answered on the same data, with the same key', async () => {
    await restarted({ encryptionKey }, async (again) => {
      const params = { name: 'run_workflow', arguments: { workflowId: 'gated', sync: true } };
      const options = { capabilities: { elicitation: { form: {} } } };
      const { body } = await post2026(service, 'tools/call', params, options);
      const { requestState } = body.result;
      await again();
      const inputResponses = { decision: { action: 'accept', content: { approved: true } } };
      const decided = await post2026(
        service,
        'tools/call',
        { ...params, requestState, inputResponses },
        options,
      );
      expect(decided.body.result.structuredContent.status).toBe('completed');
    });
  });
});

describe('what the server sends of its own accord', () => {
  it('is sent to one GET at a time, the newest', async () => {
    service = await startHosted({ mcp: { workflowTools: true } });
    const id = await beginSession(service);
    const first = heard(await listen(id));
    const second = await listen(id);
    expect(messagesOf(await first)).toEqual([]);
    const announced = new Promise<string>((resolve) => {
      let text = '';
      second.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (messagesOf(text).length > 1) resolve(text);
      });
    });
    await registerGated();
    expect(
      messagesOf(await announced)
        .map(({ method }) => method)
        .toSorted(),
    ).toEqual(['notifications/resources/list_changed', 'notifications/tools/list_changed']);
    second.destroy();
  });

  it('ends with the session', async () => {
    service = await startService();
    const id = await beginSession(service);
    const over = heard(await listen(id));
    await service.call('DELETE', '/mcp', { headers: { 'mcp-session-id': id } });
    await over;
  });
});

describe('a batch of 2025-03-26', () => {
  const march = { 'mcp-protocol-version': '2025-03-26' };

  it('is answered request by request, with a session and without', async () => {
    service = await startService();
    await registerGated();
    const id = await beginSession(service);
    const batch = [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call('list_workflows', {}, 'a'),
      { jsonrpc: '2.0', id: 'b', method: 'ping' },
      { jsonrpc: '2.0', id: 'c', method: 'nothing' },
    ];
    for (const headers of [march, { ...march, 'mcp-session-id': id }]) {
      const { status, body } = await post2025(service, batch, headers);
      expect([status, body.length]).toEqual([200, 3]);
      const byId = Object.fromEntries(body.map((one: { id: string }) => [one.id, one]));
      expect(byId.a.result.structuredContent.workflows).toHaveLength(1);
      expect([byId.b.result, byId.c.error.code]).toEqual([{}, -32601]);
    }
  });

  it('with one id twice, with too many or with an initialize is refused', async () => {
    service = await startService();
    const same = await post2025(service, [ping, ping], march);
    expect(same.status).toBeLessThan(500);
    const many = Array.from({ length: 1_001 }, (_, id) => ({ ...ping, id }));
    expect((await post2025(service, many, march)).status).toBe(400);
    const params = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const two = [{ jsonrpc: '2.0', id: 0, method: 'initialize', params }, ping];
    expect((await post2025(service, two, march)).status).toBe(400);
    expect(await sessionCount()).toBe(0);
  });
});

it('a client that is asked answers in a request of its own, and others cannot answer for it', async () => {
  service = await startHosted({ mcp: { maxSessions: 5 } } satisfies FlowgateModuleOptions);
  await registerGated();
  const asking = await client('2025-11-25', {
    person: async () => {
      // Another session guesses the id of the question.
      const other = await beginSession(service, { capabilities: { elicitation: {} } });
      for (const id of [0, 1, '0', '1']) {
        const forged = { jsonrpc: '2.0', id, result: { action: 'accept', content: { approved: true } } };
        await post2025(service, forged, { 'mcp-session-id': other });
        await post2025(service, forged);
      }
      return { action: 'accept', content: { approved: false, responder: 'ada' } };
    },
  });
  const result = await asking.tool('run_workflow', { workflowId: 'gated', sync: true });
  expect(JSON.parse(textsOf(result)[0]!)).toMatchObject({ error: 'Rejected by ada at gate agree' });
});

it('a GET of a client that has gone is not kept', async () => {
  service = await startService();
  const id = await beginSession(service);
  const stream = await listen(id);
  stream.destroy();
  const again = await listen(id);
  expect(again.statusCode).toBe(200);
  again.destroy();
  await eventually(
    async () => (await inSession(id)).status,
    (status) => status === 200,
  );
  expect(messageOf(await inSession(id)).result).toEqual({});
});

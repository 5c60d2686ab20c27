import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { HostRequest } from '../../../src/index.js';
import { OfficialGateway } from '../../../src/mcp/official/official-gateway.js';
import type { SessionTransport } from '../../../src/mcp/official/sessions/session-transport.js';
import { startHosted } from '../../support/hosted-service.js';
import { beginSession, messageOf, messagesOf, post2025, post2026 } from '../../support/mcp-clients.js';
import { open } from '../../support/raw-request.js';
import { eventually } from '../../support/eventually.js';
import { startService, type Answer, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService({});
});
afterAll(() => service.close());

const LONG = 'x'.repeat(70_000);
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('the content of a message next to the arguments of a tool has a bound', () => {
  it('in the revisions of 2025', async () => {
    for (const body of [
      { ...ping, id: 'x'.repeat(257) },
      { ...ping, method: LONG },
      { ...ping, params: { _meta: { progressToken: 'x'.repeat(257) } } },
      { ...ping, params: { _meta: { note: LONG } } },
      { ...ping, method: 'tools/list', params: { cursor: LONG } },
      { ...ping, method: 'tools/call', params: { name: 'get_run', arguments: [LONG] } },
      { ...ping, method: 'tools/call', params: { name: 'get_run', arguments: {}, requestState: LONG } },
      { jsonrpc: '2.0', id: 1, result: { note: LONG } },
      Array.from({ length: 20 }, (_, id) => ({ ...ping, id, params: { note: 'x'.repeat(4_000) } })),
    ]) {
      const answer = await post2025(service, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, -32600]);
      expect(answer.body.error.message).toMatch(/: (send less|take a shorter one)$/);
    }
  });

  it('in that of 2026: half a million faults are not reported individually', async () => {
    const notifications = { resourceSubscriptions: Array.from({ length: 490_000 }, () => 1) };
    const answer = await post2026(service, 'subscriptions/listen', { notifications });
    expect([answer.status, messageOf(answer).error.code]).toEqual([400, -32600]);
  });

  it('the arguments of a tool may be as long as every body', async () => {
    const given = { workflowId: 'nowhere', input: { text: LONG } };
    const params = { name: 'run_workflow', arguments: given };
    const answer = await post2025(service, { ...ping, method: 'tools/call', params });
    expect(answer.body.result.content[0].text).toContain('nowhere');
    const newer = await post2026(service, 'tools/call', params);
    expect(messageOf(newer).result.content[0].text).toContain('nowhere');
  });

  it('a batch has twenty messages at most', async () => {
    const batch = Array.from({ length: 21 }, (_, id) => ({ ...ping, id }));
    const headers = { 'mcp-protocol-version': '2025-03-26' };
    expect((await post2025(service, batch.slice(1), headers)).body).toHaveLength(20);
    const answer = await post2025(service, batch, headers);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('20 messages')]);
  });

  it('an id of 256 characters is taken', async () => {
    const id = 'x'.repeat(256);
    expect((await post2025(service, { ...ping, id })).body.id).toBe(id);
  });
});

describe('a session', () => {
  it('is not ended by a HEAD, nor listened to', async () => {
    const id = await beginSession(service);
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
    const head = await service.call('HEAD', '/mcp', { headers });
    expect([head.status, head.headers['allow']]).toEqual([405, 'GET, POST, DELETE']);
    expect((await post2025(service, ping, { 'mcp-session-id': id })).status).toBe(200);
  });

  it('accepts no second initialize: the capabilities of its client stay', async () => {
    const id = await beginSession(service);
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1' },
    };
    const again = { ...ping, method: 'initialize', params };
    for (const body of [again, [again]]) {
      const answer = await post2025(service, body, { 'mcp-session-id': id });
      expect([answer.status, answer.body.error.code]).toEqual([400, -32600]);
    }
  });
});

describe('a client that waits for the answer to a question', () => {
  it('is notified when its session ends', async () => {
    await service.register(document('gated', [gate('agree')]));
    const id = await beginSession(service, { capabilities: { elicitation: {} } });
    const params = { name: 'run_workflow', arguments: { workflowId: 'gated', sync: true } };
    const session = { 'mcp-session-id': id };
    const waiting = post2025(service, { ...ping, method: 'tools/call', params }, session);
    await eventually(
      () => pendingIn(service),
      (pending) => pending === 1,
    );
    await service.call('DELETE', '/mcp', { headers: session });
    expect(messageOf(await waiting)).toMatchObject({ id: 1, error: { code: -32_000 } });
  });
});

describe('what is no answer to the question', () => {
  it('is ignored, and is not written to the log', async () => {
    const logged = jest.spyOn(Logger.prototype, 'debug');
    await service.register(document('gated', [gate('agree')]));
    const id = await beginSession(service, { capabilities: { elicitation: {} } });
    const session = { 'mcp-session-id': id };
    const params = { name: 'run_workflow', arguments: { workflowId: 'gated', sync: true } };
    const asked = await askedIn(service, { ...ping, method: 'tools/call', params }, id);
    const [prefix] = asked.id.split('-');
    const result = { action: 'accept', content: { approved: true, comment: 'between us' } };
    for (const other of [0, `${prefix}-`, `${prefix}- 0`, `${prefix}-0x0`, `${prefix}-7`, 'x-0', null]) {
      await post2025(service, { jsonrpc: '2.0', id: other, result }, session);
    }
    expect(await pendingIn(service)).toBe(1);
    expect(logged).toHaveBeenCalledWith('Received a response for an unknown message ID: …');
    expect(JSON.stringify(logged.mock.calls)).not.toContain('between us');
    await post2025(service, { jsonrpc: '2.0', id: asked.id, result }, session);
    expect(messageOf(await asked.answer).result.structuredContent.status).toBe('completed');
    logged.mockRestore();
  });
});

describe('a client that disconnects while the host still looks up the principal', () => {
  it('leaves neither a stream nor a question', async () => {
    const known = Promise.withResolvers<string>();
    const gone: Promise<unknown>[] = [];
    const arrived = Promise.withResolvers<void>();
    const host = await startHosted({
      actor: (request: HostRequest) => {
        if (request.headers['x-slow'] === undefined) return 'ada';
        gone.push(once((request as unknown as IncomingMessage).socket, 'close'));
        if (gone.length === 2) arrived.resolve();
        return known.promise;
      },
    });
    try {
      await host.register(document('gated', [gate('agree')]));
      const id = await beginSession(host, { capabilities: { elicitation: {} } });
      const head = `Host: 127.0.0.1\r\nAccept: application/json, text/event-stream\r\nMcp-Session-Id: ${id}\r\nX-Slow: 1\r\n`;
      const params = { name: 'run_workflow', arguments: { workflowId: 'gated', sync: true } };
      const body = JSON.stringify({ ...ping, method: 'tools/call', params });
      const sockets = await Promise.all([open(host.url), open(host.url)]);
      sockets[0]?.write(`GET /mcp HTTP/1.1\r\n${head}\r\n`);
      sockets[1]?.write(
        `POST /mcp HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await arrived.promise;
      for (const socket of sockets) socket.destroy();
      await Promise.all(gone);
      known.resolve('ada');
      // By then both have got as far as they can.
      for (let i = 0; i < 5; i += 1) await host.get('/workflows');
      expect([await pendingIn(host), await listenersIn(host)]).toEqual([0, 0]);
    } finally {
      await host.close();
    }
  });
});

describe('what a gate says comes from a run, and may be long', () => {
  it('is truncated in a question, and in what there is to do next', async () => {
    const config = { title: '${{ input.text }}', description: '${{ input.text }}', payload: '${{ input }}' };
    await service.register(document('talks', [gate('agree', config)]));
    const params = {
      name: 'run_workflow',
      arguments: { workflowId: 'talks', sync: true, input: { text: LONG.repeat(5) } },
    };
    const paused = messageOf(await post2026(service, 'tools/call', params)).result;
    expect(paused.structuredContent.omitted.state).toEqual(['text']);
    expect(JSON.stringify(paused).length).toBeLessThan(50_000);
    const capabilities = { elicitation: {} };
    const { inputRequests } = messageOf(
      await post2026(service, 'tools/call', params, { capabilities }),
    ).result;
    expect(inputRequests.decision.params.message).toMatch(
      /^x{4000} …\n\nx{4000} …\n\nWhat there is .* waits at agree\.$/s,
    );
  });
});

describe('a search that finds much', () => {
  it('returns the best of it', async () => {
    const extended = await startService({ FLOWGATE_MCP_TOOLS: 'extended' });
    try {
      await extended.register(document('says', [mock('a', { text: 'word '.repeat(4_000) })]));
      for (let i = 0; i < 20; i += 1) await extended.start('says');
      const found = async () =>
        (await extended.get('/memory/search?q=word&topK=100')).body.results.length as number;
      await eventually(found, (count) => count === 20);
      const params = { name: 'search_memory', arguments: { query: 'word', topK: 100 } };
      const { structuredContent } = messageOf(await post2026(extended, 'tools/call', params)).result;
      expect(structuredContent.results).toHaveLength(16);
    } finally {
      await extended.close();
    }
  });
});

/** A call that has reached its question: the question's id, and the pending response. */
async function askedIn(of: Service, body: object, sessionId: string) {
  const response = await fetch(`${of.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionId,
    },
    body: JSON.stringify(body),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (messagesOf(text).length === 0) text += (await reader.read()).value ?? '';
  const rest = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
    return { text } as Answer;
  };
  return { id: messagesOf(text)[0].id as string, answer: rest() };
}

type Kept = Pick<SessionTransport, 'pending' | 'isListenedTo'>;

async function transportsOf({ app }: Service): Promise<readonly Kept[]> {
  const gateway = app.get(OfficialGateway, { strict: false }) as unknown as {
    readonly profile: Promise<{
      readonly serving: {
        readonly sessions: { readonly open: ReadonlyMap<string, { readonly transport: Kept }> };
      };
    }>;
  };
  const { sessions } = (await gateway.profile).serving;
  return [...sessions.open.values()].map(({ transport }) => transport);
}

async function pendingIn(of: Service): Promise<number> {
  return (await transportsOf(of)).reduce((sum, { pending }) => sum + pending, 0);
}

async function listenersIn(of: Service): Promise<number> {
  return (await transportsOf(of)).filter(({ isListenedTo }) => isListenedTo).length;
}

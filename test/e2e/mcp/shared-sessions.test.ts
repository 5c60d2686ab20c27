import { request } from 'node:http';
import type { HostRequest } from '../../../src/index.js';
import { OfficialGateway } from '../../../src/mcp/official/official-gateway.js';
import { startHosted } from '../../support/hosted-service.js';
import { beginSession, messageOf, messagesOf, post2025 } from '../../support/mcp-clients.js';
import { eventually } from '../../support/eventually.js';
import { startService, type Answer, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

const MOST = 20;
const GATED = [{ workflowId: 'gated' }];
const capabilities = { elicitation: {} };
const call = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
const askedIn = call('run_workflow', { workflowId: 'gated', sync: true });
const listing = call('list_workflows', {});

let service: Service;
afterEach(() => service.close());

const registerGated = () => service.register(document('gated', [gate('agree'), mock('b')]));
const sessionCount = () => service.app.get(OfficialGateway, { strict: false }).sessionCount();
const openGates = async () => (await service.get('/gates?limit=200')).body.items.length as number;

/** Takes all sessions for one caller, each with a question that nobody answers. */
async function takeAll(headers: Readonly<Record<string, string>> = {}): Promise<Promise<Answer>[]> {
  const waiting: Promise<Answer>[] = [];
  for (let n = 0; n < MOST; n += 1) {
    const id = await beginSession(service, { capabilities, headers });
    waiting.push(post2025(service, askedIn, { 'mcp-session-id': id, ...headers }));
    // They begin sequentially, so that it is known which question is the oldest.
    await eventually(
      async () => (await service.get('/runs?status=paused')).body.items.length as number,
      (paused) => paused === n + 1,
    );
  }
  expect(await sessionCount()).toBe(MOST);
  return waiting;
}

/** Does the same as `post2025` from another address of this machine. */
function fromElsewhere(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { port } = new URL(service.url);
  const accept = 'application/json, text/event-stream';
  const all = {
    accept,
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', localAddress: '127.0.0.2', path: '/mcp', method: 'POST' };
    const sent = request({ ...options, headers: all }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => {
        const message = text.startsWith('{') ? JSON.parse(text) : messagesOf(text).at(-1);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: message,
          text,
        } as Answer);
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

const byHeader = { actor: ({ headers }: HostRequest) => headers['x-person']?.toString() };
const greedy = { 'x-person': 'greedy' };
const ada = { 'x-person': 'ada' };

describe('one principal takes all sessions, each with a question that is never answered', () => {
  it('others begin sessions and call tools all the same, and the oldest questions are given up', async () => {
    service = await startHosted({ mcp: { maxSessions: MOST }, ...byHeader });
    await registerGated();
    const waiting = await takeAll(greedy);
    for (let n = 0; n < 2; n += 1) {
      const id = await beginSession(service, { capabilities, headers: ada });
      const answer = await post2025(service, listing, { 'mcp-session-id': id, ...ada });
      expect(messageOf(answer).result.structuredContent.workflows).toMatchObject(GATED);
    }
    expect(await sessionCount()).toBe(MOST);
    // The second session of the same principal replaced the first, which nothing depended on.
    const first = messageOf(await waiting[0]!).result;
    expect(first.structuredContent.status).toBe('paused');
    expect(first.content[1].text).toContain('respond_hitl');
    await expect(Promise.race([waiting[1], 'still asked'])).resolves.toBe('still asked');
  });

  it('an evicted session of another principal continues', async () => {
    service = await startHosted({ mcp: { maxSessions: MOST }, ...byHeader });
    await registerGated();
    const id = await beginSession(service, { capabilities, headers: ada });
    await takeAll(greedy);
    const answer = await post2025(service, listing, { 'mcp-session-id': id, ...ada });
    expect(messageOf(answer).result.structuredContent.workflows).toMatchObject(GATED);
  });

  it('the client is notified that it is no longer asked, and later answers count for nothing', async () => {
    service = await startHosted({ mcp: { maxSessions: MOST }, ...byHeader });
    await registerGated();
    const waiting = await takeAll(greedy);
    await beginSession(service, { capabilities, headers: ada });
    const [asked, cancelled, answered] = messagesOf((await waiting[0]!).text);
    expect(asked.method).toBe('elicitation/create');
    expect(cancelled).toMatchObject({ method: 'notifications/cancelled', params: { requestId: asked.id } });
    expect(answered.result.structuredContent.status).toBe('paused');
    const late = { jsonrpc: '2.0', id: asked.id, result: { action: 'accept', content: { approved: true } } };
    await post2025(service, late, greedy);
    expect(await openGates()).toBe(MOST);
  });

  it('and asks for one more: the oldest of their own is given up', async () => {
    service = await startHosted({ mcp: { maxSessions: MOST }, ...byHeader });
    await registerGated();
    const waiting = await takeAll(greedy);
    await beginSession(service, { capabilities, headers: greedy });
    expect(messageOf(await waiting[0]!).result.structuredContent.status).toBe('paused');
  });
});

it('without a host that knows principals, callers are distinguished by their addresses', async () => {
  service = await startService({ FLOWGATE_MCP_MAX_SESSIONS: String(MOST) });
  await registerGated();
  const elsewhere = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'x', version: '1' } };
  const begin = () => fromElsewhere({ jsonrpc: '2.0', id: 0, method: 'initialize', params: elsewhere });
  const own = (await begin()).headers['mcp-session-id'] as string;
  const mine = fromElsewhere(askedIn, { 'mcp-session-id': own });
  await eventually(
    async () => (await service.get('/runs?status=paused')).body.items.length as number,
    (paused) => paused === 1,
  );
  const waiting: Promise<Answer>[] = [];
  for (let n = 0; n < 2 * MOST; n += 1) {
    const id = await beginSession(service, { capabilities });
    waiting.push(post2025(service, askedIn, { 'mcp-session-id': id }));
  }
  await eventually(openGates, (gates) => gates === 1 + 2 * MOST);
  // The caller with the most sessions gave way every time: the oldest question, of another caller, remains.
  await expect(Promise.race([mine, 'still asked'])).resolves.toBe('still asked');
  const id = (await begin()).headers['mcp-session-id'] as string;
  const { body } = await fromElsewhere(listing, { 'mcp-session-id': id });
  expect(body.result.structuredContent.workflows).toMatchObject(GATED);
});

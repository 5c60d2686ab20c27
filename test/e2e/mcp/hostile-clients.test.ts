import { beginSession, messageOf, post2025, post2026 } from '../../support/mcp-clients.js';
import { startService, type Service } from '../../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService({});
});
afterAll(() => service.close());

const LONG = 'x'.repeat(70_000);
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('what a message holds beside the arguments of a tool has a bound', () => {
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
      Array.from({ length: 100 }, (_, id) => ({ ...ping, id, params: { note: 'x'.repeat(700) } })),
    ]) {
      const answer = await post2025(service, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, -32600]);
      expect(answer.body.error.message).toMatch(/: (send less|take a shorter one)$/);
    }
  });

  it('in that of 2026: half a million faults are not told one by one', async () => {
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
});

import { FlowgateClient, type AuditItem } from 'flowgate-client';
import { startUnitServer, type UnitServer } from '../../../../test/support/unit-server.js';

const act = (id: string): AuditItem => ({
  id,
  at: 5,
  action: 'run.start',
  namespace: 'billing',
  by: { id: 'k', owner: 'ann', via: 'http', auth: 'key' },
  workflowId: 'invoice',
  runId: 'r',
  seq: 1,
  subject: null,
  target: null,
  facts: {},
});
let server: UnitServer;
beforeEach(async () => {
  server = await startUnitServer(({ url }) => ({
    body: url.includes('cursor=2') ? { items: [act('b')], next: null } : { items: [act('a')], next: '2' },
  }));
});
afterEach(() => server.close());

describe('who did what', () => {
  it('is read by what is known of it', async () => {
    const client = new FlowgateClient({ baseUrl: server.url });
    const before = new Date(9_000);
    const filter = { owner: 'ann@x', action: 'run.start', runId: 'r', after: 1, before, limit: 3 };
    expect(await client.listAudit(filter)).toEqual({ items: [act('a')], next: '2' });
    expect(server.requests[0]?.url).toBe(
      '/audit?owner=ann%40x&action=run.start&runId=r&after=1&before=9000&limit=3',
    );
  });

  it('is read page by page to its end', async () => {
    const client = new FlowgateClient({ baseUrl: server.url });
    const all: string[] = [];
    for await (const { id } of client.eachAct()) all.push(id);
    expect(all).toEqual(['a', 'b']);
  });
});

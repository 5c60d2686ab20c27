import { ADAPTERS, startHostService } from '../support/host.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let here: Service;
let there: Service;
beforeAll(async () => {
  here = await startService();
  there = await startService({ FLOWGATE_MAX_BODY_BYTES: '1024' });
  await here.register(document('w', [mock('a', 'x'.repeat(4_000)), gate('g')]));
});
afterAll(() => Promise.all([here.close(), there.close()]));

const importInto = (service: Service, body: unknown, headers = {}) =>
  service.post('/runs/import', body, { 'content-type': 'application/x-ndjson', ...headers });

async function exported(): Promise<{ readonly runId: string; readonly text: string }> {
  const { runId } = await here.start('w');
  const { text } = await here.get(`/workflows/w/runs/${runId}/export`);
  return { runId, text };
}

describe('GET an export', () => {
  it('is lines of JSON', async () => {
    const { runId } = await here.start('w');
    const { status, headers, text } = await here.get(`/workflows/w/runs/${runId}/export`);
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    const lines = text.trimEnd().split('\n');
    expect(JSON.parse(lines[0]!)).toMatchObject({ format: 'flowgate-run/1', runId, workflowId: 'w' });
    expect(JSON.parse(lines.at(-1)!)).toEqual({ lastSeq: lines.length - 2, sha256: expect.any(String) });
  });

  it('is 404 for a run that the workflow does not have', async () => {
    const { status, body } = await here.get('/workflows/w/runs/nothing/export');
    expect([status, body.code]).toEqual([404, 'unknown-run']);
  });

  it('responds to HEAD, too', async () => {
    const { runId } = await here.start('w');
    const { status, text } = await here.call('HEAD', `/workflows/w/runs/${runId}/export`);
    expect([status, text]).toEqual([200, '']);
  });
});

describe('POST an import', () => {
  it('is 201 with the record and where it is, beyond the limit of other bodies', async () => {
    const { runId, text } = await exported();
    const { status, headers, body } = await importInto(there, text);
    expect([status, headers['location']]).toEqual([201, `../workflows/w/runs/${runId}`]);
    expect(body).toMatchObject({ runId, workflowId: 'w', status: 'failed' });
    const { pathname } = new URL(String(headers['location']), `${there.url}/runs/import`);
    expect((await there.get(pathname)).body).toEqual(body);
  });

  it('is 409 once the run exists, and for every request to steer it', async () => {
    const { runId, text } = await exported();
    await importInto(there, text);
    const again = await importInto(there, text);
    expect([again.status, again.body.code]).toEqual([409, 'run-known']);
    const at = `/workflows/w/runs/${runId}`;
    for (const [way, sent] of [
      ['resume', {}],
      ['cancel', {}],
      ['pause', {}],
      ['hitl', { approved: true }],
    ] as const) {
      const { status, body } = await there.post(`${at}/${way}`, sent);
      expect([way, status, body.code]).toEqual([way, 409, 'imported-run']);
    }
  });

  it.each([
    ['nothing', ''],
    ['a part of an export', '{"format":"flowgate-run/1"}'],
  ])('is 400 for %s', async (_name, sent) => {
    const { status, body } = await importInto(there, sent);
    expect([status, body.code]).toEqual([400, 'invalid-request']);
  });

  it('is 413 beyond 16 MiB, which no setting raises', async () => {
    const { status, body } = await importInto(there, Buffer.alloc(16 * 1024 * 1024 + 1, ' '));
    expect([status, body.error]).toEqual([
      413,
      'The body is larger than 16777216 bytes: that is the most that is taken here',
    ]);
  });

  it('is 403 for units and for pages of other origins', async () => {
    const { text } = await exported();
    expect((await importInto(there, text, { 'x-flowgate-run-id': '7' })).body.code).toBe('self-call');
    expect((await importInto(there, text, { origin: 'https://page.example' })).body.code).toBe(
      'foreign-page',
    );
  });

  it.each(ADAPTERS)('works in a host on %s that has parsers of its own', async (adapter) => {
    const host = await startHostService({ adapter });
    const { runId, text } = await exported();
    const { status, body } = await importInto(host, text);
    expect([status, body.runId]).toEqual([201, runId]);
    const { text: again } = await host.get(`/workflows/w/runs/${runId}/export`);
    expect(again.split('\n').length).toBe(text.split('\n').length + 1);
    await host.close();
  });
});

import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

const started: Service[] = [];
async function service(): Promise<Service> {
  const one = await startService();
  started.push(one);
  return one;
}
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

const remove = (from: Service, id: string) => from.call('DELETE', `/workflows/${id}`);

describe('DELETE /workflows/:id', () => {
  it('is 204, and 404 the second time; later starts are unknown', async () => {
    const one = await service();
    await one.register(document('pay', [mock('a')]));
    const [first, second] = [await remove(one, 'pay'), await remove(one, 'pay')];
    expect([first.status, first.text]).toEqual([204, '']);
    expect([second.status, second.body]).toEqual([
      404,
      { error: 'Unknown workflow: pay', code: 'unknown-workflow' },
    ]);
    const start = await one.post('/workflows/pay/runs');
    expect([start.status, start.body.error]).toEqual([500, 'Unknown workflow: pay']);
    expect((await one.get('/workflows')).body.workflows).toEqual([]);
  });

  it('lets its runs go on, and has their versions read', async () => {
    const one = await service();
    await one.register(document('pay', [gate('ask'), mock('a')]));
    const run = await one.start('pay');
    await remove(one, 'pay');
    const { body } = await one.post(`/workflows/pay/runs/${run.runId}/hitl`, { approved: true });
    expect([body.status, body.result.completedUnits]).toEqual(['completed', ['ask', 'a']]);
    const [version] = (await one.get('/workflows/pay/versions')).body.items;
    expect(version.current).toBe(false);
    expect((await one.get(`/workflows/pay/versions/${version.definitionHash}`)).status).toBe(200);
    expect((await one.get('/workflows/pay/runs')).body.items).toHaveLength(1);
  });

  it('is not for units', async () => {
    const one = await service();
    await one.register(document('pay', [mock('a')]));
    const { status } = await one.call('DELETE', '/workflows/pay', {
      headers: { 'x-flowgate-run-id': 'some' },
    });
    expect(status).toBe(403);
    expect((await one.get('/workflows/pay')).status).toBe(200);
  });
});

describe('what is unknown', () => {
  it('names a workflow of nearly that id, with the status that it has', async () => {
    const one = await service();
    await one.register(document('refund', [mock('a')]));
    const start = await one.post('/workflows/refnd/runs');
    expect([start.status, start.body]).toEqual([
      500,
      { error: 'Unknown workflow: refnd', code: 'unknown-workflow', detail: 'Did you mean refund?' },
    ]);
    for (const path of ['/workflows/refnd', '/workflows/refnd/versions', '/workflows/refnd/runs']) {
      const { status, body } = await one.get(path);
      expect([path, status, body.detail]).toEqual([path, 404, 'Did you mean refund?']);
    }
  });

  it('names a route that is nearly at that path', async () => {
    const one = await service();
    const missing = await one.get('/workflow');
    expect([missing.status, missing.body.error, missing.body.detail]).toEqual([
      404,
      'Nothing is at GET /workflow',
      'Did you mean GET /workflows?',
    ]);
    const posted = await one.post('/workflows', {});
    expect([posted.status, posted.body.error]).toEqual([405, 'POST is not possible here: use GET or HEAD']);
    expect(posted.body.detail).toContain('POST /workflows/from-yaml');
  });

  it('is the content type of a document: the answer says which', async () => {
    const one = await service();
    const { status, body } = await one.post('/workflows/from-yaml', 'apiVersion: flowgate/v1\n', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([status, body.code]).toEqual([400, 'malformed-json']);
    expect(body.error).toContain('Content-Type: application/yaml');
  });
});

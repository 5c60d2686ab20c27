import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a')]));
  await service.register(document('gated', [gate('agree'), mock('b')]));
});
afterAll(() => service.close());

const pathOf = ({ workflowId, runId }: { workflowId: string; runId: string }) =>
  `/workflows/${workflowId}/runs/${runId}`;

describe('what a request sends and the service ignores', () => {
  it('is named in the response of a start without input, and the run starts', async () => {
    const { status, body } = await service.post('/workflows/plain/runs', {
      name: 'Ada',
      wait: true,
      sync: true,
    });
    expect([status, body.status]).toEqual([202, 'completed']);
    expect(body.warnings).toEqual([
      'name is not read: what a run works with stands under input, and this start gives none: send { "input": { … } }',
      'wait is not read: for an answer once the run has stopped send "sync": true',
    ]);
    const { body: later } = await service.get(pathOf(body));
    expect(later).not.toHaveProperty('warnings');
    const { warnings: _said, ...same } = body;
    expect(later).toEqual(same);
  });

  it('is not named next to an input, where nothing is meant by it', async () => {
    const { body } = await service.post('/workflows/plain/runs', { input: {}, traceId: 'x', about: null });
    expect(body).not.toHaveProperty('warnings');
  });

  it.each([
    ['reason', 'what is kept with a decision is "comment"'],
    ['data', 'a decision carries no data: approved, responder and comment are all that units see of it'],
    ['approvedBy', 'who decides is "responder"'],
  ])('%s is named in the response of a decision, which counts', async (name, advice) => {
    const run = await service.start('gated');
    const { status, body } = await service.post(`${pathOf(run)}/hitl`, { approved: true, [name]: 'x' });
    expect([status, body.status, body.warnings]).toEqual([
      200,
      'completed',
      [`${name} is not read: ${advice}`],
    ]);
    expect((await service.get(pathOf(run))).body).not.toHaveProperty('warnings');
  });

  it('is named in the responses of a pause, a resume, a cancel and a fork', async () => {
    const run = await service.start('gated');
    const paused = await service.post(`${pathOf(run)}/pause`, { reason: 'lunch' });
    expect(paused.body.warnings).toEqual(['reason is not read: only who asks for it is kept, as "by"']);
    const resumed = await service.post(`${pathOf(run)}/resume`, { input: {} });
    expect(resumed.body.warnings).toHaveLength(1);
    const cancelled = await service.post(`${pathOf(run)}/cancel`, { user: 'ann' });
    expect(cancelled.body.warnings).toEqual(['user is not read: who asks for it is "by"']);
    const fork = await service.post(`${pathOf(run)}/fork`, { unitId: 'b' });
    expect(fork.body.warnings).toEqual([
      'unitId is not read: where a fork begins is "from": { "snapshotId": … } or { "unitId": … }',
    ]);
  });

  it('is named twenty times at most, and a name is one short line', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${index}\n${'x'.repeat(500)}`, 1]),
    );
    const { body } = await service.post('/workflows/plain/runs', many);
    expect(body.warnings).toHaveLength(20);
    for (const warning of body.warnings) {
      expect(warning).not.toContain('\n');
      expect(warning.length).toBeLessThan(300);
    }
  });

  it('is not named in what a plain tool returns', async () => {
    const params = { name: 'run_workflow', arguments: { workflowId: 'plain', name: 'Ada', sync: true } };
    const { body } = await service.post('/mcp', { id: 1, method: 'tools/call', params });
    expect(JSON.parse(body.result.content[0].text)).not.toHaveProperty('warnings');
  });
});

describe('a parameter that would filter or order elsewhere', () => {
  it.each([
    ['/workflows/plain/runs?offset=3', 'offset is no parameter here: did you mean cursor?'],
    ['/gates?stauts=open', 'stauts is no parameter here: did you mean status?'],
    ['/gates?order=asc', 'order is no parameter here: the order of a list is fixed; leave it out'],
    ['/workflows/plain/versions?page=2', 'page is no parameter here: did you mean cursor?'],
  ])('%s is 400', async (path, said) => {
    const { status, body } = await service.get(path);
    expect([status, body.error, body.code]).toEqual([400, said, 'invalid-request']);
  });

  it.each([
    ['events?since=3', 'since is no parameter here: did you mean afterSeq?'],
    ['messages?page=3', 'page is no parameter here: did you mean cursor?'],
    ['snapshots?lmit=3', 'lmit is no parameter here: did you mean limit?'],
  ])('…/%s is 400', async (path, said) => {
    const run = await service.start('plain');
    const { status, body } = await service.get(`${pathOf(run)}/${path}`);
    expect([status, body.error]).toEqual([400, said]);
  });

  it.each(['/runs?access_token=x&_=1', '/gates?_=1', '/workflows/plain/runs?utm=x'])(
    '%s passes: it is a host’s',
    async (path) => {
      expect((await service.get(path)).status).toBe(200);
    },
  );
});

describe('a run that was cancelled', () => {
  it('says so in its record, next to failed, as the item of a list does', async () => {
    const run = await service.start('gated');
    const { body } = await service.post(`${pathOf(run)}/cancel`, { by: 'ann' });
    const wanted = { status: 'failed', error: 'Cancelled by ann', cancelled: true };
    expect(body).toMatchObject(wanted);
    expect((await service.get(pathOf(run))).body).toEqual(body);
    const { body: list } = await service.get(`/runs?id=${run.runId}`);
    expect(list.items).toMatchObject([wanted]);
    const params = { name: 'get_run', arguments: { workflowId: run.workflowId, runId: run.runId } };
    const tool = await service.post('/mcp', { id: 1, method: 'tools/call', params });
    expect(JSON.parse(tool.body.result.content[0].text)).toEqual(body);
  });

  it('is distinguished from one that failed, which has no such field', async () => {
    const run = await service.start('gated');
    const { body } = await service.post(`${pathOf(run)}/hitl`, { approved: false });
    expect(body.status).toBe('failed');
    expect(body).not.toHaveProperty('cancelled');
  });
});

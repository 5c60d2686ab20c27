import type { RunRecord } from '../../src/engine/index.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a')]));
  await service.register(document('gated', [gate('agree'), mock('b')]));
  await service.register(document('pausing', [mock('a', 1, { pause: 'after' }), mock('b')]));
});
afterAll(() => service.close());

const pathOf = ({ workflowId, runId }: RunRecord) => `/workflows/${workflowId}/runs/${runId}`;
const hint = (name: string, meant: string, kind = 'field of this body') =>
  `${name} is no ${kind}: did you mean ${meant}?`;

async function callTool(
  name: string,
  args: object,
): Promise<{ isError?: boolean; said: Record<string, unknown> }> {
  const { body } = await service.post('/mcp', {
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  return { isError: body.result.isError, said: JSON.parse(body.result.content[0].text) };
}

describe('a field that is nearly one of ours', () => {
  it.each([
    ['inputs', 'input'],
    ['synch', 'sync'],
  ])('%s in a start is 400, says what could be meant, and starts nothing', async (name, meant) => {
    const { status, body } = await service.post('/workflows/plain/runs', { [name]: {} });
    expect([status, body]).toEqual([
      400,
      {
        error: hint(name, meant),
        code: 'invalid-request',
        details: [{ path: name, message: hint(name, meant) }],
      },
    ]);
  });

  it('is refused next to the field that it resembles', async () => {
    const { status, body } = await service.post('/workflows/plain/runs', {
      input: {},
      inputs: {},
      sync: true,
    });
    expect([status, body.error]).toEqual([400, hint('inputs', 'input')]);
  });

  it('snapshot in a resume leaves the run paused', async () => {
    const paused = await service.start('pausing');
    const { status, body } = await service.post(`${pathOf(paused)}/resume`, { snapshot: 'x' });
    expect([status, body.error]).toEqual([400, hint('snapshot', 'snapshotId')]);
    expect(await service.run(paused)).toEqual(paused);
  });

  it.each([
    ['respnder', 'responder'],
    ['comments', 'comment'],
    ['gateid', 'gateId'],
  ])('%s next to a decision leaves the gate open', async (name, meant) => {
    const paused = await service.start('gated');
    const { status, body } = await service.post(`${pathOf(paused)}/hitl`, { approved: true, [name]: 'x' });
    expect([status, body.error]).toEqual([400, hint(name, meant)]);
    expect(await service.run(paused)).toEqual(paused);
  });

  it('instead of a required one is named together with it', async () => {
    const paused = await service.start('gated');
    const { body } = await service.post(`${pathOf(paused)}/hitl`, { approve: true });
    expect(body.error.split('\n')).toEqual([
      'approved (boolean) is required: send true or false',
      hint('approve', 'approved'),
    ]);
  });

  it('binding in a registration registers nothing', async () => {
    const { status, body } = await service.post('/workflows/from-yaml', {
      yaml: document('unborn', [mock('a')]),
      binding: {},
    });
    expect([status, body.error]).toEqual([400, hint('binding', 'bindings')]);
    expect((await service.get('/workflows')).body.workflows).not.toContain('unborn');
  });

  it('comes after an unknown workflow or run, which the interface names', async () => {
    const start = await service.post('/workflows/nobody/runs', { inputs: {} });
    expect([start.status, start.body.error]).toEqual([500, 'Unknown workflow: nobody']);
    const resume = await service.post('/workflows/plain/runs/none/resume', { snapshot: 'x' });
    expect([resume.status, resume.body.error]).toEqual([500, 'Unknown run: none']);
  });
});

describe('an argument of a tool that is nearly one of ours', () => {
  const ofTool = (name: string, meant: string) => hint(name, meant, 'argument of this tool');

  it.each([
    ['run_workflow', { workflowId: 'plain', inputs: {} }, ofTool('inputs', 'input')],
    ['run_workflow', { workflowId: 'plain', workflow_id: 'gated' }, ofTool('workflow_id', 'workflowId')],
    [
      'run_workflow',
      { workflowID: 'plain' },
      `workflowId (string) is required\n${ofTool('workflowID', 'workflowId')}`,
    ],
    ['get_run', { workflowId: 'plain', run: 'x' }, `runId (string) is required\n${ofTool('run', 'runId')}`],
    ['run_workflow', { workflowId: 'nobody', inputs: {} }, 'Unknown workflow: nobody'],
    ['get_run', { workflowId: 'plain', runId: 'none', runid: 'x' }, 'Unknown run: none'],
  ])('%s with %j is an error', async (name, args, error) => {
    const { isError, said } = await callTool(name, args);
    expect([isError, said['error']]).toEqual([true, error]);
  });

  it('is refused for an existing run too', async () => {
    const run = await service.start('plain');
    const { workflowId, runId } = run;
    const { said } = await callTool('get_run', { workflowId, runId, runID: 'x' });
    expect(said['error']).toBe(ofTool('runID', 'runId'));
    const paused = await service.start('gated');
    const args = { workflowId: 'gated', runId: paused.runId, approved: true, respnder: 'ada' };
    expect((await callTool('respond_hitl', args)).said['error']).toBe(ofTool('respnder', 'responder'));
    expect(await service.run(paused)).toEqual(paused);
  });
});

describe('a field that is only unknown', () => {
  it.each(['notes', 'metadata', 'runId'])('%s is ignored everywhere', async (name) => {
    const extra = { [name]: 'x' };
    const started = await service.post('/workflows/gated/runs', { sync: true, ...extra });
    expect(started.status).toBe(202);
    const path = pathOf(started.body as RunRecord);
    expect((await service.post(`${path}/resume`, extra)).status).toBe(200);
    expect((await service.post(`${path}/hitl`, { approved: true, ...extra })).status).toBe(200);
    const yaml = document('plain', [mock('a')]);
    expect((await service.post('/workflows/from-yaml', { yaml, ...extra })).status).toBe(201);
    expect((await callTool('run_workflow', { ...extra, workflowId: 'plain' })).isError).toBeUndefined();
  });
});

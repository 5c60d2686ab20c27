import type { RunRecord } from '../../src/engine/index.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
  await service.register(
    document('gated', [mock('a'), gate('agree', { payload: { amount: 7 } }), mock('c')]),
  );
  await service.register(document('tolerant', [gate('agree', { onReject: 'continue' }), mock('c')]));
  await service.register(document('two-gates', [gate('first'), gate('second')]));
  await service.register(
    document('side-by-side', [gate('left'), gate('right')], {
      flow: { type: 'parallel', units: ['left', 'right'] },
    }),
  );
  await service.register(document('pausing', [mock('a', 1, { pause: 'after' }), mock('b')]));
});
afterAll(() => service.close());

const respond = (run: { workflowId: string; runId: string }, body: unknown) =>
  service.post(`/workflows/${run.workflowId}/runs/${run.runId}/hitl`, body);

const requests = ({ result }: RunRecord) =>
  (result?.messages ?? []).filter((message) => message.type === 'hitl-request');

describe('a gate', () => {
  it('shows in the messages what it asks', async () => {
    const paused = await service.start('gated');
    expect(requests(paused)).toEqual([
      {
        type: 'hitl-request',
        timestamp: expect.any(Number),
        unitId: 'agree',
        gateId: expect.any(Number),
        action: 'May agree pass?',
        payload: { amount: 7 },
      },
    ]);
  });
});

describe('an approval', () => {
  it('is recorded with its responder, and the run continues', async () => {
    const paused = await service.start('gated');
    const { status, body } = await respond(paused, { approved: true, responder: 'ada', comment: 'fine' });
    expect([status, body.status]).toEqual([200, 'completed']);
    expect(body.result.state).toMatchObject({
      'output.agree': { approved: true, responder: 'ada', decidedAt: expect.any(Number), comment: 'fine' },
      'hitl.approved': true,
      'hitl.responder': 'ada',
    });
    expect(body.result.completedUnits).toEqual(['a', 'agree', 'c']);
    expect(body.result.messages).toContainEqual(
      expect.objectContaining({ type: 'hitl-response', approved: true, responder: 'ada' }),
    );
  });

  it.each([
    ['absent', {}],
    ['null', { responder: null, comment: null, gateId: null }],
  ])('has the responder user when it is %s', async (_name, more) => {
    const paused = await service.start('gated');
    const { body } = await respond(paused, { approved: true, ...more, extra: 1 });
    expect(body.result.state['hitl.responder']).toBe('user');
    expect(body.result.state['output.agree']).not.toHaveProperty('comment');
  });
});

describe('a rejection', () => {
  it('fails the run and names responder and gate', async () => {
    const paused = await service.start('gated');
    const { status, body } = await respond(paused, { approved: false, responder: 'ada' });
    expect([status, body.status, body.error]).toEqual([200, 'failed', 'Rejected by ada at gate agree']);
    expect(body).not.toHaveProperty('result');
  });

  it('lets the run continue where the gate says so', async () => {
    const paused = await service.start('tolerant');
    const { body } = await respond(paused, { approved: false });
    expect(body).toMatchObject({ status: 'completed', result: { completedUnits: ['agree', 'c'] } });
    expect(body.result.state['output.agree']).toMatchObject({ approved: false, responder: 'user' });
  });
});

describe('approved', () => {
  it.each([
    ['absent', {}],
    ['null', { approved: null }],
    ['"false"', { approved: 'false' }],
    ['"true"', { approved: 'true' }],
    ['0', { approved: 0 }],
    ['1', { approved: 1 }],
    ['in no body', undefined],
  ])('%s: 400, and the gate still waits', async (_name, body) => {
    const paused = await service.start('gated');
    const answer = await respond(paused, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('approved (boolean) is required: send true or false');
    expect(await service.run(paused)).toEqual(paused);
  });
});

it.each([
  ['responder', 7],
  ['responder', ''],
  ['responder', 'x'.repeat(257)],
  ['comment', {}],
  ['gateId', '2'],
  ['gateId', 1.5],
])('%s %j: 400', async (field, value) => {
  const paused = await service.start('gated');
  const { status, body } = await respond(paused, { approved: true, [field]: value });
  expect([status, body.error]).toEqual([400, expect.stringContaining(field)]);
});

describe('a decision that nobody waits for', () => {
  it.each([
    ['an unknown run', 'gated', 'nothing'],
    ['an unknown workflow', 'nobody', 'nothing'],
  ])('%s: 500, before any fault of the body', async (_name, workflowId, runId) => {
    const { status, body } = await respond({ workflowId, runId }, { approved: 'x' });
    expect([status, body]).toEqual([500, { error: `Unknown run: ${runId}`, code: 'unknown-run' }]);
  });

  it('another workflow’s run: 500', async () => {
    const { runId } = await service.start('gated');
    const { status, body } = await respond({ workflowId: 'tolerant', runId }, { approved: true });
    expect([status, body]).toEqual([500, { error: `Unknown run: ${runId}`, code: 'unknown-run' }]);
  });

  it('at no gate, but a pause: the record as it is', async () => {
    const paused = await service.start('pausing');
    expect(await respond(paused, { approved: true })).toMatchObject({ status: 200, body: paused });
  });

  it('again after the run is over: the record, when it was decided the same way', async () => {
    const paused = await service.start('gated');
    const { body } = await respond(paused, { approved: true });
    expect(await respond(paused, { approved: true })).toMatchObject({ status: 200, body });
  });

  it('the other way after the run is over: 500 with the reason', async () => {
    const paused = await service.start('gated');
    await respond(paused, { approved: true });
    const { status, body } = await respond(paused, { approved: false });
    expect([status, body]).toEqual([
      500,
      { error: `Unknown run: ${paused.runId}`, code: 'run-over', detail: expect.stringContaining('over') },
    ]);
  });
});

describe('several gates', () => {
  it('one after the other take one decision each', async () => {
    const paused = await service.start('two-gates');
    const first = await respond(paused, { approved: true, responder: 'ada' });
    expect(first.body).toMatchObject({ status: 'paused', result: { completedUnits: ['first'] } });
    const second = await respond(paused, { approved: true, responder: 'grace' });
    expect(second.body).toMatchObject({
      status: 'completed',
      result: { completedUnits: ['first', 'second'] },
    });
    expect(second.body.result.state['output.first'].responder).toBe('ada');
    expect(second.body.result.state['output.second'].responder).toBe('grace');
  });

  it('in parallel: 409 that lists them, until one is named', async () => {
    const paused = await service.start('side-by-side');
    const { status, body } = await respond(paused, { approved: true });
    expect(status).toBe(409);
    expect(body).toEqual({
      error: expect.stringContaining('gateId'),
      code: 'ambiguous-gate',
      type: 'AmbiguousGateError',
      details: [
        { gateId: expect.any(Number), unitId: 'left', title: 'May left pass?' },
        { gateId: expect.any(Number), unitId: 'right', title: 'May right pass?' },
      ],
    });
    const [left] = body.details;
    const one = await respond(paused, { approved: true, gateId: left.gateId });
    expect(one.body).toMatchObject({ status: 'paused' });
    expect((await respond(paused, { approved: true })).body).toMatchObject({ status: 'completed' });
  });

  it('a named gate that was decided the other way: 409 with that decision; the same way: the record', async () => {
    const paused = await service.start('two-gates');
    const [request] = requests(await service.run(paused)) as unknown as [{ readonly gateId: number }];
    const { gateId } = request;
    await respond(paused, { approved: true, responder: 'ada', gateId });
    const otherwise = await respond(paused, { approved: false, gateId });
    expect(otherwise.status).toBe(409);
    expect(otherwise.body).toEqual({
      error: expect.stringContaining('ada has approved'),
      code: 'gate-decided',
      type: 'GateDecidedError',
      details: [{ approved: true, responder: 'ada', decidedAt: expect.any(Number) }],
    });
    const again = await respond(paused, { approved: true, responder: 'grace', gateId });
    expect(again.body).toMatchObject({ status: 'paused', result: { completedUnits: ['first'] } });
  });

  it('a gateId that no gate has: 400', async () => {
    const paused = await service.start('gated');
    expect((await respond(paused, { approved: true, gateId: 99_999 })).status).toBe(400);
  });
});

import type { RunRecord } from '../../src/engine/index.js';
import { startService, type Service } from '../support/service.js';
import { document, gate, mock } from '../support/workflow-documents.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
  await service.register(
    document('gated', [mock('a'), gate('agree', { payload: { amount: 7 } }), mock('c')]),
  );
  await service.register(document('two-gates', [gate('first'), gate('second')]));
  await service.register(
    document('side-by-side', [gate('left'), gate('right')], {
      flow: { type: 'parallel', units: ['left', 'right'] },
    }),
  );
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

describe('several gates', () => {
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
});

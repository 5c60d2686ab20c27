import assert from 'node:assert/strict';
import { gate, mock } from '../../support/workflow-documents.ts';
import type { Body } from '../support/caller.ts';
import { completed, has, refused } from '../support/expectations.ts';
import { each, topic } from '../support/topic.ts';

const GATED = [mock('a'), gate('agree', { payload: { amount: 7 } }), mock('c')];
const REQUIRED = 'approved (boolean) is required: send true or false';

const gatesOf = (record: Body): readonly Body[] =>
  record.result.messages.filter(({ type }: Body) => type === 'hitl-request');

export const decisions = topic('POST /workflows/:id/runs/:runId/hitl', {
  'answers a request that stands in the messages': async (service) => {
    const [request] = gatesOf(await service.run(GATED));
    has(request, { unitId: 'agree', action: 'May agree pass?', payload: { amount: 7 } });
    assert.equal(typeof request.gateId, 'number');
  },
  'is 200 with the record of the run that went on, and of who approved': async (service) => {
    const paused = await service.run(GATED);
    const { status, body } = await service.respond(paused, {
      approved: true,
      responder: 'ada',
      comment: 'fine',
    });
    assert.deepEqual(
      [status, body.status, body.result?.completedUnits],
      [200, 'completed', ['a', 'agree', 'c']],
    );
    has(body.result.state, { 'hitl.approved': true, 'hitl.responder': service.responder('ada') });
    has(body.result.state['output.agree'], {
      approved: true,
      responder: service.responder('ada'),
      comment: 'fine',
    });
    const decided = body.result.messages.find(({ type }: Body) => type === 'hitl-response');
    has(decided, { approved: true, responder: service.responder('ada') });
  },
  'fails the run where it rejects, and names responder and gate': async (service) => {
    const paused = await service.run(GATED);
    const { status, body } = await service.respond(paused, { approved: false, responder: 'ada' });
    assert.deepEqual(
      [status, body.status, body.error],
      [200, 'failed', `Rejected by ${service.responder('ada')} at gate agree`],
    );
    assert.equal('result' in body, false);
  },
  'lets a rejected run go on where its gate says so': async (service) => {
    const paused = await service.run([gate('agree', { onReject: 'continue' }), mock('c')]);
    const { body } = await service.respond(paused, { approved: false, responder: 'ada' });
    completed(body);
    has(body.result.state['output.agree'], { approved: false, responder: service.responder('ada') });
  },
  ...each(
    (name) => `is 400 where approved is ${name}, and the gate still waits`,
    {
      absent: {},
      null: { approved: null },
      '"false"': { approved: 'false' },
      '"true"': { approved: 'true' },
      '0': { approved: 0 },
      '1': { approved: 1 },
      'in no body': undefined,
    },
    async (service, given: unknown) => {
      const paused = await service.run(GATED);
      refused(await service.respond(paused, given), 400, REQUIRED);
      assert.deepEqual(await service.read(paused), paused);
    },
  ),
  'is 400 for a responder, comment or gate that is none, and for a near miss': async (service) => {
    const paused = await service.run(GATED);
    const wrong = { responder: [7, '', 'x'.repeat(257)], comment: [{}], gateId: ['2', 1.5, 99_999] };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values)
        refused(await service.respond(paused, { approved: true, [field]: value }), 400, new RegExp(field));
    }
    refused(await service.respond(paused, { approve: true }), 400, /did you mean approved\?/);
    assert.deepEqual(await service.read(paused), paused);
  },
  'is 500 for an unknown run, or that of another workflow, before any fault of the body': async (service) => {
    const { runId } = await service.run(GATED);
    const workflowId = await service.register([mock('a')]);
    for (const name of [
      { workflowId, runId: 'nothing' },
      { workflowId: 'nobody', runId },
      { workflowId, runId },
    ])
      refused(await service.respond(name, { approved: 'x' }), 500, `Unknown run: ${name.runId}`);
  },
  'answers with a run that waits at no gate as it is': async (service) => {
    const paused = await service.run([mock('a', 1, { pause: 'after' }), mock('b')]);
    const { status, body } = await service.respond(paused, { approved: true });
    assert.deepEqual([status, body], [200, paused]);
  },
  'is the record again once the run is over, and 500 with the reason the other way': async (service) => {
    const paused = await service.run(GATED);
    const { body } = await service.respond(paused, { approved: true, responder: 'ada' });
    assert.deepEqual((await service.respond(paused, { approved: true })).body, body);
    const other = await service.respond(paused, { approved: false });
    refused(other, 500, `Unknown run: ${paused.runId}`);
    assert.match(other.body.detail, /over/);
  },
  'decides at one gate after the other': async (service) => {
    const paused = await service.run([gate('first'), gate('second')]);
    const first = await service.respond(paused, { approved: true, responder: 'ada' });
    assert.deepEqual([first.body.status, first.body.result.completedUnits], ['paused', ['first']]);
    const second = await service.respond(paused, { approved: true, responder: 'grace' });
    completed(second.body);
    assert.equal(second.body.result.state['output.first'].responder, service.responder('ada'));
    assert.equal(second.body.result.state['output.second'].responder, service.responder('grace'));
  },
  'is 409 with a list where several gates are open and none is named': async (service) => {
    const flow = { type: 'parallel', units: ['left', 'right'] };
    const paused = await service.run([gate('left'), gate('right')], { flow });
    const answer = await service.respond(paused, { approved: true });
    refused(answer, 409, /gateId/);
    assert.equal(answer.body.type, 'AmbiguousGateError');
    const { details } = answer.body;
    assert.deepEqual(
      details.map(({ unitId }: Body) => unitId),
      ['left', 'right'],
    );
    const one = await service.respond(paused, { approved: true, gateId: details[0].gateId });
    assert.equal(one.body.status, 'paused');
    completed((await service.respond(paused, { approved: true })).body);
  },
  'is 409 with the decision where a named gate was decided otherwise': async (service) => {
    const paused = await service.run([gate('first'), gate('second')]);
    const gateId = gatesOf(paused)[0].gateId;
    await service.respond(paused, { approved: true, responder: 'ada', gateId });
    const otherwise = await service.respond(paused, { approved: false, gateId });
    refused(otherwise, 409, new RegExp(`${service.responder('ada')} has approved`));
    assert.equal(otherwise.body.type, 'GateDecidedError');
    has(otherwise.body.details[0], { approved: true, responder: service.responder('ada') });
    assert.equal((await service.respond(paused, { approved: true, gateId })).body.status, 'paused');
  },
});

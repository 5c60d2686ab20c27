import assert from 'node:assert/strict';
import { bound, gate, mock, remote } from '../../support/workflow-documents.ts';
import { startUnitServer } from '../../support/unit-server.ts';
import { type Body, type Caller, pathOf } from '../support/caller.ts';
import { completed, has, refused } from '../support/expectations.ts';
import { each, topic } from '../support/topic.ts';

const PAUSING = [mock('a', 1), mock('b', 2, { pause: 'before' }), mock('c', 3)];

const snapshots = async (service: Caller, record: Body): Promise<readonly string[]> =>
  (await service.get(`${pathOf(record)}/snapshots`)).body.snapshots.map((one: Body) => one.snapshotId);

export const resumingRuns = topic('POST /workflows/:id/runs/:runId/resume', {
  ...each(
    (name) => `is 200 with the record after the remaining steps, with ${name}`,
    {
      'no body': undefined,
      'an empty object': {},
      'an empty text': '',
      'snapshotId null': { snapshotId: null },
    },
    async (service, given: unknown) => {
      const paused = await service.run(PAUSING);
      assert.deepEqual([paused.status, paused.result.completedUnits], ['paused', ['a']]);
      const { status, body } = await service.resume(paused, given);
      assert.equal(status, 200);
      has(body, { runId: paused.runId, createdAt: paused.createdAt, status: 'completed' });
      assert.deepEqual(body.result.completedUnits, ['a', 'b', 'c']);
      assert.deepEqual(await service.read(paused), body);
    },
  ),
  'leaves a run at its gate': async (service) => {
    const paused = await service.run([mock('a'), gate('agree')]);
    const { status, body } = await service.resume(paused);
    assert.deepEqual([status, body.status], [200, 'paused']);
  },
  'goes on from the latest checkpoint': async (service) => {
    const paused = await service.run(PAUSING);
    const [snapshotId] = await snapshots(service, paused);
    completed((await service.resume(paused, { snapshotId })).body);
  },
  'takes a run that is over back to an older checkpoint': async (service) => {
    const record = await service.run([mock('a', 1), mock('b', 2)]);
    const snapshotId = (await snapshots(service, record)).at(-1);
    const { status, body } = await service.resume(record, { snapshotId });
    assert.deepEqual([status, body.status, body.result.completedUnits], [200, 'completed', ['a', 'b']]);
    const rewound = body.result.messages.filter(({ type }: Body) => type === 'rewound');
    assert.deepEqual(
      rewound.map((message: Body) => message.snapshotId),
      [snapshotId],
    );
  },
  ...each(
    (name) => `is 500 and leaves the record untouched for a snapshotId ${name}`,
    {
      'that names nothing': () => 'nothing',
      'of another run': () => '01990000-0000-7000-8000-000000000001.2',
      'that is no checkpoint': (runId: string) => `${runId}.1`,
      'that is empty': () => '',
    } as Record<string, (runId: string) => string>,
    async (service, idOf: (runId: string) => string) => {
      const paused = await service.run(PAUSING);
      const answer = await service.resume(paused, { snapshotId: idOf(paused.runId) });
      refused(answer, 500, `No checkpoint found for run: ${paused.runId}`);
      assert.deepEqual(await service.read(paused), paused);
    },
  ),
  'is 500 for a run without a checkpoint, and says what to do': async (service) => {
    const record = await service.run([mock('a', 1, { if: 'false' })]);
    const answer = await service.resume(record);
    refused(answer, 500, `No checkpoint found for run: ${record.runId}`);
    assert.match(answer.body.detail, /./);
  },
  'answers with a completed run as it is': async (service) => {
    const record = await service.run([mock('a', 1)]);
    const { status, body } = await service.resume(record);
    assert.deepEqual([status, body], [200, record]);
  },
  'tries a failed run again from its last checkpoint': async (service) => {
    const unit = await startUnitServer({ status: 500, body: 'down' });
    try {
      const once = { policyOverrides: { retry: { maxAttempts: 1 } } };
      const id = await service.register([mock('a', 1), remote('b', once)], {}, bound('b', unit.url));
      const failed = await service.start(id);
      assert.equal(failed.status, 'failed');
      assert.match(failed.error, /^Unit b failed after 1 attempt\(s\): .*500/);
      assert.equal((await service.resume(failed)).body.status, 'failed');
      unit.answer({ body: { content: 'up' } });
      const { status, body } = await service.resume(failed);
      assert.deepEqual([status, body.status, 'error' in body], [200, 'completed', false]);
      assert.deepEqual(body.result.state, { 'output.a': 1, 'output.b': 'up' });
    } finally {
      await unit.close();
    }
  },
  'is 500 for an unknown run, or that of another workflow, before any fault of the body': async (service) => {
    const { runId } = await service.run(PAUSING);
    const workflowId = await service.register([mock('a')]);
    for (const name of [
      { workflowId, runId: 'nothing' },
      { workflowId: 'nobody', runId },
      { workflowId, runId },
    ])
      refused(await service.resume(name, { snapshotId: 7 }), 500, `Unknown run: ${name.runId}`);
  },
  'is 400 for a snapshotId that is no text, or a field that is nearly it': async (service) => {
    const paused = await service.run(PAUSING);
    for (const snapshotId of [7, true, {}, []])
      refused(await service.resume(paused, { snapshotId }), 400, 'snapshotId must be a string');
    refused(await service.resume(paused, { snapshot: 'x' }), 400, /did you mean snapshotId\?/);
    assert.deepEqual(await service.read(paused), paused);
  },
});

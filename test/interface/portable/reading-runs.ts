import assert from 'node:assert/strict';
import { mock } from '../../support/workflow-documents.ts';
import { pathOf } from '../support/caller.ts';
import { has, refused } from '../support/expectations.ts';
import { topic } from '../support/topic.ts';

const THREE = [mock('a', 1), mock('b', 2), mock('c', 3)];

export const readingRuns = topic('GET /workflows/:id/runs/:runId', {
  'is the record that the start answered with': async (service) => {
    const record = await service.run(THREE);
    const { status, body } = await service.get(pathOf(record));
    assert.deepEqual([status, body], [200, record]);
  },
  'is 404 for an unknown run, and for the run of another workflow': async (service) => {
    const { runId } = await service.run(THREE);
    const workflowId = await service.register([mock('a')]);
    for (const name of [
      { workflowId, runId: 'nothing' },
      { workflowId, runId: '01990000-0000-7000-8000-000000000001' },
      { workflowId, runId },
      { workflowId: 'nobody', runId },
    ])
      refused(await service.get(pathOf(name)), 404, `Unknown run: ${name.runId}`);
  },
  'has the messages in pages': async (service) => {
    const record = await service.run(THREE);
    const path = `${pathOf(record)}/messages`;
    const whole = await service.get(path);
    assert.deepEqual([whole.status, whole.body], [200, { messages: record.result.messages, next: null }]);
    const collected: unknown[] = [];
    let query = '?limit=2';
    while (query !== '') {
      const { body } = await service.get(path + query);
      collected.push(...body.messages);
      query = body.next === null ? '' : `?limit=2&cursor=${body.next}`;
    }
    assert.deepEqual(collected, record.result.messages);
  },
  'refuses a limit, a place or a cursor that is none': async (service) => {
    const path = pathOf(await service.run(THREE));
    for (const query of [
      'limit=0',
      'limit=many',
      'limit=1.5',
      'limit=',
      'limit=1&limit=2',
      'afterSeq=-1',
      'cursor=x',
    ])
      refused(await service.get(`${path}/messages?${query}`), 400, new RegExp(query.split('=')[0] ?? ''));
    for (const query of ['limit=0', 'limit=x', 'cursor=x', 'cursor='])
      refused(await service.get(`${path}/snapshots?${query}`), 400, new RegExp(query.split('=')[0] ?? ''));
  },
  'has the checkpoints, newest first, each with the state at that point': async (service) => {
    const record = await service.run(THREE, {}, { x: 'y' });
    const { status, body } = await service.get(`${pathOf(record)}/snapshots`);
    assert.deepEqual([status, body.snapshots.length], [200, 3]);
    has(body.snapshots[2], { after: 'unit-finished', unitId: 'a' });
    const one = await service.get(`${pathOf(record)}/snapshots/${body.snapshots[1].snapshotId}`);
    assert.deepEqual(one.body, {
      ...body.snapshots[1],
      completedUnits: ['a', 'b'],
      state: { x: 'y', 'output.a': 1, 'output.b': 2 },
    });
  },
  'is 404 for a checkpoint that is none, and for what an unknown run would have': async (service) => {
    const record = await service.run(THREE);
    refused(
      await service.get(`${pathOf(record)}/snapshots/nothing`),
      404,
      `No checkpoint found for run: ${record.runId}`,
    );
    const unknown = pathOf({ ...record, runId: 'nothing' });
    for (const path of ['/snapshots', '/snapshots/x', '/messages?limit=0'])
      refused(await service.get(unknown + path), 404, 'Unknown run: nothing');
  },
});

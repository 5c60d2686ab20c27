import assert from 'node:assert/strict';
import { gate, mock } from '../../support/workflow-documents.ts';
import { type Caller, pathOf, runsOf } from '../support/caller.ts';
import { completed, refused } from '../support/expectations.ts';
import { topic } from '../support/topic.ts';

const start = (service: Caller, id: string, key: string, body: object = { sync: true }) =>
  service.post(runsOf(id), body, { 'Idempotency-Key': key });

export const idempotencyKeys = topic('an Idempotency-Key', {
  'makes one run, however often the request comes': async (service) => {
    const id = await service.register([mock('a')]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => start(service, id, 'one')));
    for (const { status, body } of answers) assert.deepEqual([status, body], [202, answers[0]?.body]);
  },
  'with another request is 409': async (service) => {
    const id = await service.register([mock('a')]);
    await start(service, id, 'reused', { input: { a: 1 }, sync: true });
    const answer = await start(service, id, 'reused', { input: { a: 2 }, sync: true });
    refused(answer, 409, /reused/);
    assert.equal(answer.body.type, 'IdempotencyConflictError');
  },
  'is 400 when it is too long': async (service) => {
    const id = await service.register([mock('a')]);
    refused(await start(service, id, 'k'.repeat(257)), 400, /Idempotency-Key/);
    assert.equal((await start(service, id, 'k'.repeat(256))).status, 202);
  },
  'decides at one gate, and never at the next': async (service) => {
    const paused = await service.run([gate('first'), gate('second')]);
    const respond = (key: string, approved = true) =>
      service.post(`${pathOf(paused)}/hitl`, { approved }, { 'Idempotency-Key': key });
    for (const time of ['first', 'again'])
      assert.deepEqual([time, (await respond('a')).body.result.completedUnits], [time, ['first']]);
    assert.equal((await respond('a', false)).status, 409);
    completed((await respond('b')).body);
  },
  'lifts one pause, and never the next': async (service) => {
    const after = { pause: 'after' };
    const paused = await service.run([mock('a', 1, after), mock('b', 1, after), mock('c')]);
    const resume = (key: string) => service.post(`${pathOf(paused)}/resume`, {}, { 'Idempotency-Key': key });
    for (const time of ['first', 'again'])
      assert.deepEqual([time, (await resume('a')).body.result.completedUnits], [time, ['a', 'b']]);
    completed((await resume('b')).body);
  },
});

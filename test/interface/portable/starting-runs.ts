import assert from 'node:assert/strict';
import { gate, mock } from '../../support/workflow-documents.ts';
import { runsOf } from '../support/caller.ts';
import { completed, has, refused } from '../support/expectations.ts';
import { each, topic } from '../support/topic.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const startingRuns = topic('POST /workflows/:id/runs', {
  'is 202 with the completed record when sync is true': async (service) => {
    const id = await service.register([mock('a', 'one'), mock('b', { deep: [1] })]);
    const input = { a: 1, nested: { b: [null] } };
    const { status, body } = await service.post(runsOf(id), { input, sync: true });
    assert.equal(status, 202);
    assert.match(body.runId, UUID_V7);
    assert.deepEqual(Object.keys(body).toSorted(), [
      'createdAt',
      'result',
      'runId',
      'status',
      'updatedAt',
      'workflowId',
    ]);
    has(body, { workflowId: id, status: 'completed' });
    has(body.result, { runId: body.runId, completedUnits: ['a', 'b'], tokenUsage: 0, cost: 0 });
    assert.deepEqual(body.result.state, { ...input, 'output.a': 'one', 'output.b': { deep: [1] } });
    assert.equal(typeof body.result.duration, 'number');
    assert.ok(body.updatedAt >= body.createdAt);
  },
  'tells the messages of the run, each with its type and time': async (service) => {
    const { runId, result } = await service.run([mock('a', 'one')]);
    for (const { type, timestamp } of result.messages)
      assert.deepEqual([typeof type, typeof timestamp], ['string', 'number']);
    const said = (type: string) => result.messages.find((message: { type: string }) => message.type === type);
    has(said('unit-output'), { sourceUnitId: 'a', data: 'one', attempt: 1 });
    assert.ok(said('checkpoint').snapshotId.startsWith(`${runId}.`));
  },
  'has a result and no error where the run paused at a gate': async (service) => {
    const record = await service.run([mock('a'), gate('agree'), mock('c')]);
    assert.deepEqual([record.status, record.result.completedUnits], ['paused', ['a']]);
    assert.equal('error' in record, false);
  },
  'is 202 with an error and no result where the run failed': async (service) => {
    const record = await service.run([{ id: 'f', uses: 'builtin.fail', config: { message: 'It is full.' } }]);
    assert.equal(record.status, 'failed');
    assert.match(record.error, /It is full\./);
    assert.equal('result' in record, false);
  },
  ...each(
    (name) => `answers running at once when ${name}`,
    {
      'sync is false': { sync: false },
      'sync is absent': {},
      'sync is null': { sync: null },
      'there is no body': undefined,
    },
    async (service, given: unknown) => {
      const id = await service.register([mock('a')]);
      const { status, body } = await service.post(runsOf(id), given);
      assert.deepEqual([status, body.status, 'result' in body], [202, 'running', false]);
    },
  ),
  'takes an input that is absent or null for an empty one': async (service) => {
    const id = await service.register([mock('a')]);
    for (const given of [{}, { input: null }, { input: {} }])
      assert.deepEqual(Object.keys((await service.start(id, { ...given, sync: true })).result.state), [
        'output.a',
      ]);
  },
  'keeps an input as it came, whatever it is made of': async (service) => {
    const id = await service.register([mock('a')]);
    const input = {
      approved: 'false',
      number: '1',
      constructor: 'c',
      toString: 1,
      hasOwnProperty: null,
      'clé 鍵 🔑': 'été\n\u2028"',
      '': 'empty',
      'a.b/c': [0.1, -5, 1e21],
      date: '2026-01-01T00:00:00.000Z',
      nested: { list: [{ n: '1', deep: { flag: 'true' } }], unknown: null },
    };
    const { result } = await service.start(id, { input, sync: true });
    delete result.state['output.a'];
    assert.deepEqual(result.state, input);
  },
  ...each(
    (name) => `is 400 where the input is ${name}`,
    { 'a text': 'x', 'a number': 1, 'a list': [], true: true },
    async (service, input: unknown) => {
      const id = await service.register([mock('a')]);
      const answer = await service.post(runsOf(id), { input, sync: true });
      refused(answer, 400, 'input must be an object');
      has(answer.body.details, [{ path: 'input', message: 'input must be an object' }]);
    },
  ),
  'is 400 where the input has __proto__ for a key, or a reserved one': async (service) => {
    const id = await service.register([mock('a')]);
    refused(await service.post(runsOf(id), '{"input":{"__proto__":{"polluted":1}}}'), 400, /input/);
    for (const key of ['output.a', 'hitl.approved', 'errors.a'])
      refused(await service.post(runsOf(id), { input: { [key]: 1 } }), 400, /reserved|input/);
  },
  'is 400 with every fault of an input that breaks spec.input': async (service) => {
    const input = { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } };
    const id = await service.register([mock('a')], { input });
    const answer = await service.post(runsOf(id), { input: { amount: 'much' } });
    refused(answer, 400, /amount/);
    assert.equal(answer.body.details.length, 1);
    completed(await service.start(id, { input: { amount: 3 }, sync: true }));
  },
  ...each(
    (name) => `converts nothing: sync ${name} is 400`,
    { '"true"': 'true', '"false"': 'false', 1: 1, '{}': {} },
    async (service, sync: unknown) => {
      const id = await service.register([mock('a')]);
      refused(await service.post(runsOf(id), { sync }), 400, 'sync must be true or false');
    },
  ),
  'is 500 for an unknown workflow, before any fault of the body': async (service) => {
    refused(await service.post(runsOf('nobody'), { sync: true }), 500, 'Unknown workflow: nobody');
    refused(await service.post(runsOf('nobody'), { sync: 'no', input: 7 }), 500, 'Unknown workflow: nobody');
    refused(await service.post('/workflows/a%2Fb%20c/runs', '{'), 500, 'Unknown workflow: a/b c');
  },
  'ignores fields that it does not know, and names all faults of a body': async (service) => {
    const id = await service.register([mock('a')]);
    completed(await service.start(id, { sync: true, colour: 'red', runId: 'mine' } as object));
    const { body } = await service.post(runsOf(id), { input: 1, sync: 1, inputs: 1 });
    assert.deepEqual(
      body.details.map(({ path }: { path: string }) => path),
      ['input', 'sync', 'inputs'],
    );
  },
  ...each(
    (name) => `takes the id of a workflow percent-encoded: ${name}`,
    {
      'a space': 'my flow',
      'a slash': 'team/pay',
      'a percent sign': '100%25 %',
      'a question': 'a?b#c&d',
      'another script': '請求書',
    },
    async (service, name: string) => {
      const id = service.id(name);
      await service.registerText(
        JSON.stringify({
          apiVersion: 'flowgate/v1',
          kind: 'Workflow',
          metadata: { id },
          spec: { units: [mock('a'), gate('g')], flow: { type: 'sequential', order: ['a', 'g'] } },
        }),
      );
      const paused = await service.start(id);
      has(paused, { workflowId: id, status: 'paused' });
      assert.deepEqual(await service.read(paused), paused);
      completed((await service.respond(paused, { approved: true })).body);
    },
  ),
});

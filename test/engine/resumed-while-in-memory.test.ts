import type { UnitHandler } from '../../src/engine/index.js';
import { until } from '../support/eventually.js';
import { inSequence, openEngine, workflowYaml, type TestEngine } from '../support/engine.js';

const opened: TestEngine[] = [];

afterEach(async () => {
  for (const { engine } of opened.splice(0)) await engine.close();
});

const once = { retry: { maxAttempts: 1 } };

/**
 * A run of a child, which keeps its parent in memory for a second, and then of `f`, `a` and `b` in parallel. It failed by
 * `f`, with the calls of `a` and `b` in flight. From then on every unit answers.
 */
async function failedRun(policy: object, ofOthers: object = {}) {
  const calls: (readonly [unitId: string, key: string])[] = [];
  const mayFail = Promise.withResolvers<never>();
  mayFail.promise.catch(() => undefined);
  let hasFailed = false;
  const handler =
    (first: () => Promise<unknown>): UnitHandler =>
    (_input, { unitId, idempotencyKey }) => {
      calls.push([unitId, idempotencyKey]);
      return hasFailed ? { content: 'done' } : first();
    };
  const test = await openEngine({
    'acme.inner': () => 'done',
    'acme.f': handler(() => mayFail.promise),
    'acme.other': handler(() => new Promise(() => undefined)),
  });
  opened.push(test);
  const { engine } = test;
  await engine.workflows.register({ yaml: inSequence('inner', [{ id: 'u', uses: 'acme.inner' }]) });
  const units = [
    { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'inner' } },
    { id: 'f', uses: 'acme.f', policyOverrides: once },
    { id: 'a', uses: 'acme.other', policyOverrides: { ...once, ...ofOthers } },
    { id: 'b', uses: 'acme.other', policyOverrides: { ...once, ...ofOthers } },
  ];
  const order = ['child', { type: 'parallel', units: ['f', 'a', 'b'] }];
  await engine.workflows.register({
    yaml: workflowYaml('w', { units, flow: { type: 'sequential', order }, policy }),
  });
  const { runId } = await engine.runs.start({ workflowId: 'w' });
  const address = { workflowId: 'w', runId };
  const ends = async (status: string) =>
    until(async () => (await engine.runs.get(address)).status === status, `the run is ${status}`);
  await until(() => calls.some(([unitId]) => unitId === 'f'), 'the units are called');
  const before = calls.map(([unitId]) => unitId).join('');
  hasFailed = true;
  mayFail.reject(new Error('broken'));
  await ends('failed');
  expect(engine.figures().runsInMemory).toBe(1);
  return { ...test, before, calls, address, ends };
}

describe('a failed run that is resumed while it is in memory', () => {
  it('calls again what was in flight, under its key', async () => {
    const { engine, before, calls, address, ends } = await failedRun({});
    expect(before).toBe('fab');
    await engine.runs.resume(address);
    await ends('completed');
    for (const unit of ['a', 'b']) {
      const keys = calls.flatMap(([unitId, key]) => (unitId === unit ? [key] : []));
      expect(keys).toEqual([keys[0], keys[0]]);
    }
  });

  it.each([
    ['was queued after its other units', { concurrency: { maxParallelUnits: 1 } }, {}, 'f'],
    ['was in the line of an endpoint', {}, { rateLimit: { maxRequestsPerMinute: 1 } }, 'fa'],
    ['a budget blocked', { budget: { maxTokens: 100 } }, {}, 'f'],
  ])('calls what %s', async (_what, policy, ofOthers, called) => {
    const { engine, clock, before, calls, address } = await failedRun(policy, ofOthers);
    expect(before).toBe(called);
    const resumed = engine.runs.resume(address);
    await until(async () => {
      await clock.advance(10_000);
      return (await engine.runs.get(address)).status === 'completed';
    }, 'the run is completed');
    await resumed;
    expect(calls.map(([unitId]) => unitId)).toEqual(expect.arrayContaining(['a', 'b']));
  });
});

import { setImmediate as otherWork } from 'node:timers/promises';
import { inSequence, openEngine } from '../../../../../test/support/engine.js';
import { exportOf } from '../../../../../test/support/exports.js';

const GATED = inSequence('gated', [
  { id: 'a', uses: 'work' },
  { id: 'g', uses: 'builtin.approval', config: { title: 'May it?' } },
]);

async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  void promise.finally(() => (isSettled = true));
  for (let turn = 0; turn < 20; turn++) await otherWork();
  return !isSettled;
}

/** A fork that is waited for, of a run that was imported to where nobody has registered its unit. */
async function forkElsewhere(resumeWaitMs: number) {
  const here = await openEngine({ work: () => 'done' });
  await here.engine.workflows.register({ yaml: GATED });
  const run = await here.engine.runs.start({ workflowId: 'gated', sync: true });
  const ndjson = Buffer.from(await exportOf(here.engine, run));
  await here.engine.close();
  const there = await openEngine({}, { resumeWaitMs });
  await there.engine.runs.import({ ndjson });
  const request = { workflowId: 'gated', runId: run.runId, sync: true, idempotencyKey: 'once' };
  return { ...there, request, forking: there.engine.runs.fork(request) };
}

describe('a fork with sync whose unit nobody has registered', () => {
  it('is answered with the run as it is, as long after as a resume is, also when its key comes again', async () => {
    const { engine, clock, request, forking } = await forkElsewhere(3_000);
    expect(await isOpen(forking)).toBe(true);
    const again = engine.runs.fork(request);
    await clock.advance(2_999);
    expect([await isOpen(forking), await isOpen(again)]).toEqual([true, true]);
    await clock.advance(1);
    expect([await isOpen(forking), await isOpen(again)]).toEqual([false, false]);
    const { runId, status } = await forking;
    expect(status).toBe('running');
    expect(await again).toMatchObject({ runId, status });
    await engine.close();
  });

  it('is waited for like any other once somebody has registered it', async () => {
    const { engine, clock, forking } = await forkElsewhere(3_000);
    const open = Promise.withResolvers<string>();
    expect(await isOpen(forking)).toBe(true);
    engine.registerUnit('work', () => open.promise);
    await clock.advance(9_000);
    expect(await isOpen(forking)).toBe(true);
    open.resolve('done');
    expect((await forking).status).toBe('paused');
    await engine.close();
  });
});

import { aWhile, DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence, workflowYaml } from '../support/engine.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

/** An engine with a slot for one execution, whose unit `work` ends when the test says so. */
async function openWithOneSlot() {
  const calls: { readonly runId: string; readonly unitId: string; readonly end: () => void }[] = [];
  const opened = await engines.open(
    engines.folder(),
    {
      work: ({ context: { runId, unitId } }) =>
        new Promise((resolve) => {
          calls.push({ runId, unitId, end: () => resolve('done') });
        }),
    },
    { maxExecutionsInFlight: 1, resumeWaitMs: 0 },
  );
  await opened.engine.workflows.register({ yaml: inSequence('one', [{ id: 'a', uses: 'work' }]) });
  await opened.engine.workflows.register({
    yaml: workflowYaml('both', {
      units: [
        { id: 'a', uses: 'work' },
        { id: 'gate', uses: 'builtin.approval' },
      ],
      flow: { type: 'parallel', units: ['a', 'gate'] },
    }),
  });
  const status = async (workflowId: string, runId: string) =>
    (await opened.engine.runs.get({ workflowId, runId })).status;
  return { ...opened, calls, status };
}

describe('a run that waits for a slot among the executions in flight', () => {
  it('calls its unit once, also when something else happens to it meanwhile', async () => {
    const { engine, calls, status } = await openWithOneSlot();
    const first = await engine.runs.start({ workflowId: 'one' });
    await until(() => calls.length === 1, 'the place is taken');
    const second = await engine.runs.start({ workflowId: 'both' });
    const address = { workflowId: 'both', runId: second.runId };
    void engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    await until(
      async () => (await engine.runs.messages(address)).messages.some(({ type }) => type === 'hitl-response'),
      'the gate is decided',
    );
    calls[0]!.end();
    await until(() => calls.length === 2, 'the waiting run is called');
    await until(async () => (await status('one', first.runId)) === 'completed', 'the first run completes');
    await aWhile();
    calls[1]!.end();
    await until(async () => (await status('both', second.runId)) === 'completed', 'the second run completes');
    await aWhile();
    expect(calls.map(({ runId }) => runId)).toEqual([first.runId, second.runId]);
  });

  it('leaves its slot to the next one when it no longer has anything to call', async () => {
    const { engine, clock, calls, status } = await openWithOneSlot();
    const first = await engine.runs.start({ workflowId: 'one' });
    await until(() => calls.length === 1, 'the place is taken');
    await engine.workflows.register({
      yaml: inSequence('hasty', [{ id: 'a', uses: 'work' }], {
        policy: { timeout: { workflowMs: 1_000 } },
      }),
    });
    const hasty = await engine.runs.start({ workflowId: 'hasty' });
    const third = await engine.runs.start({ workflowId: 'one' });
    await clock.advance(1_000);
    await until(async () => (await status('hasty', hasty.runId)) === 'failed', 'the second run is overdue');
    calls[0]!.end();
    await until(() => calls.length === 2, 'the third run is called');
    calls[1]!.end();
    await until(async () => (await status('one', third.runId)) === 'completed', 'the third run completes');
    expect(calls.map(({ runId }) => runId)).toEqual([first.runId, third.runId]);
  });
});

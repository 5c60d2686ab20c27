import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { LOOPS_FOR_OTHERS } from '../../src/engine/runtime/mailbox/slice-scheduler.js';
import { inSequence, openEngine, workflowYaml } from '../support/engine.js';

describe('a long run of units that complete at once', () => {
  it('yields to the event loop', async () => {
    const { engine } = await openEngine({ work: () => 1 });
    const units = [{ id: 'u', uses: 'work' }];
    const flow = { type: 'loop', do: 'u', maxIterations: 5_000 };
    await engine.workflows.register({ yaml: workflowYaml('long', { units, flow }) });
    let turns = 0;
    const count = (): void => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const record = await engine.runs.start({ workflowId: 'long', sync: true });
    clearImmediate(counting);
    expect(record.status).toBe('completed');
    expect(turns).toBeGreaterThan(15);
  });
});

/** A loop that calls no unit. */
const LOOP = {
  units: [{ id: 'n', uses: 'builtin.set', config: { values: { n: '${{ iteration }}' } } }],
  flow: { type: 'loop', do: 'n', maxIterations: 1_000_000 },
};

describe('a run that continues without units', () => {
  it('lets another have its turn after a few of its own, though it began first', async () => {
    const { engine } = await openEngine({ work: () => 'done' });
    await engine.workflows.register({ yaml: workflowYaml('greedy', LOOP) });
    await engine.workflows.register({ yaml: inSequence('quick', [{ id: 'u', uses: 'work' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'greedy' });
    const record = await engine.runs.start({ workflowId: 'quick', sync: true });
    expect(record.status).toBe('completed');
    const { status } = await engine.runs.get({ workflowId: 'greedy', runId });
    expect(status).toBe('running');
    await engine.close();
  });

  it('can be steered between its turns, and is slowed down once it has had its share', async () => {
    const store = new InMemoryRunStore();
    const { engine, clock } = await openEngine({}, { store });
    await engine.workflows.register({ yaml: workflowYaml('greedy', LOOP) });
    const { runId } = await engine.runs.start({ workflowId: 'greedy' });
    const lastSeq = async () => (await store.readRow({ runId }))?.lastSeq ?? 0;
    const progress = async () => {
      for (let before = -1; before !== (await lastSeq());) {
        before = await lastSeq();
        for (let turn = 0; turn < LOOPS_FOR_OTHERS + 36; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
      }
      return lastSeq();
    };
    const atOnce = await progress();
    expect(atOnce).toBeGreaterThan(100_000);
    expect(atOnce).toBeLessThan(110_000);
    await clock.advance(10_000);
    const later = await progress();
    expect(later - atOnce).toBeGreaterThan(30_000);
    expect(later - atOnce).toBeLessThan(60_000);
    await engine.close();
  });
});

import { inSequence } from '../support/engine.js';
import { aWhile, DurableEngines, outcomeOf } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

describe('the same request twice in one batch of a run', () => {
  async function atGate() {
    const { engine, store, clock } = await engines.open(engines.folder());
    await engine.workflows.register({ yaml: inSequence('g', [{ id: 'gate', uses: 'builtin.approval' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'g', sync: true });
    const approve = () =>
      engine.gates.respond({
        workflowId: 'g',
        runId,
        approved: true,
        responder: 'ann',
        idempotencyKey: 'once',
      });
    return { store, clock, approve };
  }

  it('answers neither before the first is durable', async () => {
    const { store, approve } = await atGate();
    store.hold();
    const answers = [approve(), approve(), approve()];
    const outcomes = answers.map(outcomeOf);
    await until(() => store.heldBack === 1, 'the decision waits for the disk');
    await aWhile();
    expect(outcomes.map(({ isOpen }) => isOpen)).toEqual([true, true, true]);
    store.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(3).fill('completed'));
  });

  it('fails all of them when the first cannot be stored, and then serves the next', async () => {
    const { store, clock, approve } = await atGate();
    store.failure = 'nothing is written';
    const inTime = async <T>(work: Promise<T>): Promise<T> => {
      const outcome = outcomeOf(work);
      await until(async () => {
        await clock.advance(1_000);
        return !outcome.isOpen;
      }, 'the store is tried again');
      return work;
    };
    const refused = await inTime(Promise.allSettled([approve(), approve()]));
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    store.failure = null;
    expect((await inTime(approve())).status).toBe('completed');
  });
});

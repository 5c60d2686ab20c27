import type { UnitHandler } from '../../src/engine/index.js';
import { DurableEngines, outcomeOf, type DurableEngine } from '../support/durability-engine.js';
import { inSequence } from '../support/engine.js';
import { until } from '../support/eventually.js';
import { runsStored } from '../support/runs-stored.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const pure = (id: string) => ({ id, uses: 'pure' });
const work = (id: string) => ({ id, uses: 'work' });

interface Watched extends DurableEngine {
  readonly calls: string[];
  /** Runs when a unit is called, before it returns. */
  onCall: (unitId: string) => void;
  /** For each append the types of its events. */
  readonly appends: () => readonly (readonly string[])[];
}

/** An engine with a unit `pure`, and one `work` that is not, which record their calls. */
async function open(units: readonly object[], folder = engines.folder()): Promise<Watched> {
  const calls: string[] = [];
  const called: UnitHandler = ({ context: { unitId } }) => {
    calls.push(unitId);
    watched.onCall(unitId);
    return unitId;
  };
  const opened = await engines.open(folder, { work: called });
  opened.engine.registerUnit('pure', called, { pure: true });
  await opened.engine.workflows.register({ yaml: inSequence('w', units) });
  const appends = () => opened.store.asked.map(({ events }) => events.map(({ type }) => type));
  const watched: Watched = { ...opened, calls, appends, onCall: () => undefined };
  return watched;
}

const SCHEDULED = ['unit-scheduled', 'unit-finished'];

describe('pure units', () => {
  it('are stored together, from the start that is waited for to the end of the run', async () => {
    const { engine, appends } = await open(['a', 'b', 'c'].map(pure));
    const { status } = await engine.runs.start({ workflowId: 'w', sync: true });
    expect(status).toBe('completed');
    expect(appends()).toEqual([['run-started', ...SCHEDULED, ...SCHEDULED, ...SCHEDULED, 'run-completed']]);
  });

  it('begin once a start that is not waited for is stored', async () => {
    const { engine, store, calls, appends } = await open(['a', 'b'].map(pure));
    store.hold();
    const starting = engine.runs.start({ workflowId: 'w' });
    const outcome = outcomeOf(starting);
    await until(() => store.heldBack === 1, 'the start waits for the disk');
    expect([outcome.isOpen, calls]).toEqual([true, []]);
    store.release();
    expect((await starting).status).toBe('running');
    expect(calls).toEqual([]);
    await until(() => appends().length === 2, 'the units are executed');
    expect(appends()).toEqual([
      ['run-started', 'unit-scheduled'],
      ['unit-finished', ...SCHEDULED, 'run-completed'],
    ]);
  });

  it('are stored before the first unit that is not pure is called, and so is its scheduling', async () => {
    const { engine, store, calls, appends } = await open([pure('a'), work('b'), pure('c'), pure('d')]);
    store.hold();
    const starting = engine.runs.start({ workflowId: 'w', sync: true });
    await until(() => store.heldBack === 1, 'the first append waits for the disk');
    expect(calls).toEqual(['a']);
    store.release();
    expect((await starting).status).toBe('completed');
    expect(calls).toEqual(['a', 'b', 'c', 'd']);
    expect(appends()).toEqual([
      ['run-started', ...SCHEDULED, 'unit-scheduled'],
      ['unit-finished', ...SCHEDULED, ...SCHEDULED, 'run-completed'],
    ]);
  });

  it('leave nothing of a run whose first append fails: its key is free, and who sends the start again is served', async () => {
    const { engine, store, clock, calls } = await open(['a', 'b'].map(pure));
    const start = () => engine.runs.start({ workflowId: 'w', sync: true, idempotencyKey: 'once' });
    store.failure = 'nothing is written';
    await expect(start()).rejects.toThrow('The disk is full');
    expect(await runsStored(store)).toEqual([]);
    store.failure = null;
    await clock.advance(5_000);
    expect((await start()).status).toBe('completed');
    expect((await runsStored(store)).length).toBe(1);
    expect(calls).toEqual(['a', 'b', 'a', 'b']);
  });

  it.each(['nothing is written', 'the answer is lost'] as const)(
    'have each output once in the log, and are executed again, where, for a while, %s',
    async (failure) => {
      const watched = await open([work('a'), pure('b'), pure('c')]);
      const { engine, store, clock, calls } = watched;
      watched.onCall = (unitId) => {
        if (unitId === 'b') store.failure = failure;
      };
      const { runId } = await engine.runs.start({ workflowId: 'w' });
      await until(async () => {
        await clock.advance(200);
        const executed = calls.filter((unitId) => unitId === 'b').length;
        return executed > (failure === 'nothing is written' ? 1 : 0);
      }, 'the pure units are executed, and again where their turn was not stored');
      watched.onCall = () => undefined;
      store.failure = null;
      const address = { workflowId: 'w', runId };
      await until(async () => {
        await clock.advance(1_000);
        return (await engine.runs.get(address)).status === 'completed';
      }, 'the run ends');
      const { messages } = await engine.runs.messages(address);
      expect(messages.filter(({ type }) => type === 'unit-output')).toHaveLength(3);
      expect(calls.filter((unitId) => unitId === 'a')).toHaveLength(1);
    },
  );

  it('are at risk to kill the process, which a mark says before the first is executed on a run that is stored', async () => {
    const { engine, store } = await open([work('a'), pure('b')]);
    const marks: unknown[] = [];
    const { markAtRisk } = store;
    store.markAtRisk = (mark) => {
      marks.push([mark.doing, mark.lastSeq]);
      markAtRisk.call(store, mark);
    };
    await engine.runs.start({ workflowId: 'w', sync: true });
    expect(marks).toEqual([
      ['turn', 2],
      ['turn', null],
    ]);
  });
});

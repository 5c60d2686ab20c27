import type { UnitHandler } from '../../src/engine/index.js';
import { DurableEngines, outcomeOf, type DurableEngine } from '../support/durability-engine.js';
import { inSequence } from '../support/engine.js';
import { until } from '../support/eventually.js';
import { StoreError } from '../../src/errors/service-errors.js';
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

/** Plays until a turn took no longer than one may: on a machine that stands still it is cut, wherever it is. */
async function together(
  play: () => Promise<readonly (readonly string[])[]>,
  expected: readonly (readonly string[])[],
) {
  for (let tries = 1; ; tries += 1) {
    const appends = await play();
    if (tries === 20 || JSON.stringify(appends) === JSON.stringify(expected))
      return expect(appends).toEqual(expected);
  }
}

const SCHEDULED = ['unit-scheduled', 'unit-finished'];

describe('pure units', () => {
  it('are stored together, from the start that is waited for to the end of the run', async () => {
    const play = async () => {
      const { engine, appends } = await open(['a', 'b', 'c'].map(pure));
      const { status } = await engine.runs.start({ workflowId: 'w', sync: true });
      expect(status).toBe('completed');
      return appends();
    };
    await together(play, [['run-started', ...SCHEDULED, ...SCHEDULED, ...SCHEDULED, 'run-completed']]);
  });

  it('begin once a start that is not waited for is stored', async () => {
    const play = async () => {
      const { engine, store, calls, appends } = await open(['a', 'b'].map(pure));
      store.hold();
      const starting = engine.runs.start({ workflowId: 'w' });
      const outcome = outcomeOf(starting);
      await until(() => store.heldBack === 1, 'the start waits for the disk');
      expect([outcome.isOpen, calls]).toEqual([true, []]);
      store.release();
      expect((await starting).status).toBe('running');
      expect(calls).toEqual([]);
      await until(() => appends().at(-1)?.at(-1) === 'run-completed', 'the units are executed');
      return appends();
    };
    await together(play, [
      ['run-started', 'unit-scheduled'],
      ['unit-finished', ...SCHEDULED, 'run-completed'],
    ]);
  });

  it('are stored before the first unit that is not pure is called, and so is its scheduling', async () => {
    const play = async () => {
      const { engine, store, calls, appends } = await open([pure('a'), work('b'), pure('c'), pure('d')]);
      store.hold();
      const starting = engine.runs.start({ workflowId: 'w', sync: true });
      await until(() => store.heldBack === 1, 'the first append waits for the disk');
      expect(calls).toEqual(['a']);
      store.release();
      expect((await starting).status).toBe('completed');
      expect(calls).toEqual(['a', 'b', 'c', 'd']);
      return appends();
    };
    await together(play, [
      ['run-started', ...SCHEDULED, 'unit-scheduled'],
      ['unit-finished', ...SCHEDULED, ...SCHEDULED, 'run-completed'],
    ]);
  });

  it('fail by themselves where the store refuses their output for good, and what came before them is kept', async () => {
    const { engine, store, calls } = await open([work('a'), pure('b'), pure('c')]);
    const { append } = store;
    store.append = (request) => {
      if (JSON.stringify(request.events).includes('"output":"c"'))
        throw new StoreError('The output is too large for the store', { permanent: true });
      return append.call(store, request);
    };
    const { status, error } = await engine.runs.start({ workflowId: 'w', sync: true });
    expect([status, calls.filter((unitId) => unitId === 'a')]).toEqual(['failed', ['a']]);
    expect(error).toContain('Unit c failed');
    const [{ runId } = { runId: '' }] = await runsStored(store);
    const { messages } = await engine.runs.messages({ workflowId: 'w', runId });
    const outputs = messages.flatMap((message) =>
      message.type === 'unit-output' ? [message.sourceUnitId] : [],
    );
    expect(outputs).toEqual(['a', 'b']);
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

  it('are marked as begun before they are executed on a run that is stored, and as ended with the next mark', async () => {
    const { engine, store } = await open([work('a'), pure('b'), pure('c')]);
    const marks: unknown[] = [];
    const { markCalls } = store;
    store.markCalls = (given) => {
      marks.push([given.begun, given.ended].map((those) => those.map(({ executionId }) => executionId)));
      markCalls.call(store, given);
    };
    await engine.runs.start({ workflowId: 'w', sync: true });
    expect(marks).toEqual([
      [[2], []],
      [[4], [2]],
      [[6], [4]],
    ]);
  });
});

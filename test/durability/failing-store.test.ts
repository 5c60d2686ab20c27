import { writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DurableEngines, outcomeOf, type DurableEngine } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { inSequence } from '../support/engine.js';
import { limitedDisk } from '../storage/support/limited-disk.js';
import { runsStored } from '../support/runs-stored.js';

const engines = new DurableEngines();
afterEach(() => engines.clear());

const steps = ['a', 'b', 'c'].map((id) => ({ id, uses: 'work' }));
const FAILURES = ['nothing is written', 'the answer is lost'] as const;

interface Watched extends DurableEngine {
  readonly calls: string[];
  /** Runs when a unit is called, before it returns. */
  onCall: (unitId: string) => void;
}

async function open(units: readonly object[], spec: object = {}): Promise<Watched> {
  const calls: string[] = [];
  const opened = await engines.open(engines.folder(), {
    work: ({ context }) => {
      calls.push(context.unitId);
      watched.onCall(context.unitId);
      return context.unitId;
    },
  });
  const watched: Watched = { ...opened, calls, onCall: () => undefined };
  await opened.engine.workflows.register({ yaml: inSequence('w', units, spec) });
  return watched;
}

/** Advances the clock until the promise settles. */
async function inTime<T>({ clock }: Pick<DurableEngine, 'clock'>, promise: Promise<T>): Promise<T> {
  const outcome = outcomeOf(promise);
  await until(async () => {
    await clock.advance(100);
    return !outcome.isOpen;
  }, 'it is answered');
  return promise;
}

/** Advances the clock until the run has that status. */
async function becomes({ engine, clock }: DurableEngine, runId: string, status: string): Promise<void> {
  await until(async () => {
    await clock.advance(1_000);
    return (await engine.runs.get({ workflowId: 'w', runId })).status === status;
  }, `the run is ${status}`);
}

describe.each(FAILURES)('a store of which, for a while, %s', (failure) => {
  it('loses no result, has no unit called twice, and the caller who waits gets the end', async () => {
    const watched = await open(steps);
    const { engine, store, clock, calls } = watched;
    watched.onCall = (unitId) => {
      if (unitId === 'b') store.failure = failure;
    };
    const running = engine.runs.start({ workflowId: 'w', sync: true });
    await until(() => store.failure !== null, 'the store fails');
    for (let i = 0; i < 5; i++) await clock.advance(200);
    await expect(engine.runs.start({ workflowId: 'w' })).rejects.toThrow('The disk');
    watched.onCall = () => undefined;
    store.failure = null;
    const { runId } = store.asked[0]!;
    await becomes(watched, runId, 'completed');
    const record = await inTime(watched, running);
    expect(record.result?.completedUnits).toEqual(['a', 'b', 'c']);
    const { messages } = await engine.runs.messages({ workflowId: 'w', runId });
    expect(messages.filter(({ type }) => type === 'unit-output')).toHaveLength(3);
    // The refused start exists if only its confirmation was lost.
    const runs = await runsStored(store, { workflowId: 'w' });
    expect(runs).toHaveLength(failure === 'the answer is lost' ? 2 : 1);
    for (const row of runs) await becomes(watched, row.runId, 'completed');
    expect(calls).toHaveLength(3 * runs.length);
  });

  it('stores the outcome of the last unit of a run, and answers the caller that waits', async () => {
    const watched = await open([{ id: 'a', uses: 'work' }]);
    watched.onCall = () => {
      watched.store.failure = failure;
    };
    const running = watched.engine.runs.start({ workflowId: 'w', sync: true });
    await until(() => watched.store.asked.length >= 2, 'the output is offered');
    watched.store.failure = null;
    await becomes(watched, watched.store.asked[0]!.runId, 'completed');
    expect((await inTime(watched, running)).status).toBe('completed');
    expect(watched.calls).toEqual(['a']);
  });

  it('accepts the same start again under its key, for one run', async () => {
    const watched = await open(steps);
    const { engine, store, calls } = watched;
    const request = { workflowId: 'w', idempotencyKey: 'k', sync: true };
    store.failure = failure;
    await expect(engine.runs.start(request)).rejects.toThrow('The disk');
    store.failure = null;
    expect((await inTime(watched, engine.runs.start(request))).status).toBe('completed');
    expect(calls).toEqual(['a', 'b', 'c']);
  });

  it('answers the caller that decided, and the decision counts once', async () => {
    const watched = await open([{ id: 'gate', uses: 'builtin.approval' }, ...steps]);
    const { engine, store, calls } = watched;
    const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    const decision = { workflowId: 'w', runId, approved: true, responder: 'ann' };
    store.failure = failure;
    await expect(engine.gates.respond(decision)).rejects.toThrow('The disk');
    store.failure = null;
    if (failure === 'nothing is written') {
      expect((await engine.runs.get({ workflowId: 'w', runId })).status).toBe('paused');
      expect((await inTime(watched, engine.gates.respond(decision))).status).toBe('completed');
    }
    // A decision that was written is carried out although nobody could be answered.
    else await becomes(watched, runId, 'completed');
    expect(await inTime(watched, engine.gates.respond(decision))).toMatchObject({ status: 'completed' });
    expect(calls).toEqual(['a', 'b', 'c']);
  });

  it('does not lose the moment at which a run is overdue', async () => {
    const { promise: never } = Promise.withResolvers<string>();
    let calls = 0;
    const work = () => {
      calls += 1;
      return never;
    };
    const { engine, store, clock } = await engines.open(engines.folder(), { work });
    const policy = { timeout: { workflowMs: 5_000 } };
    await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }], { policy }) });
    const running = engine.runs.start({ workflowId: 'w', sync: true });
    // Units are called only after an append that was confirmed.
    await until(() => calls === 1, 'the run is stored');
    store.failure = failure;
    await clock.advance(5_000);
    await until(() => store.asked.length >= 2, 'its end is offered');
    store.failure = null;
    expect(await inTime({ clock }, running)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('overran'),
    });
  });
});

const disk = await limitedDisk(6);
afterAll(() => disk?.remove());

// Only where this user may mount a disk of its own.
if (disk !== null) {
  describe('a disk that fills up in the middle of runs', () => {
    it('costs no run a result or a second call, and service continues once there is space', async () => {
      const ballast = join(disk.path, 'ballast');
      await writeFile(ballast, Buffer.alloc(4.5 * 1024 * 1024));
      const calls: string[] = [];
      const output = 'x'.repeat(50_000);
      const opened = await engines.open(join(disk.path, 'data'), {
        work: ({ context }) => {
          calls.push(context.executionId);
          return output;
        },
      });
      const { engine, clock, said } = opened;
      const units = Array.from({ length: 20 }, (_, index) => ({
        id: `u${index}`,
        uses: 'work',
        contextPolicy: { state: 'none', memory: { record: false } },
      }));
      await engine.workflows.register({ yaml: inSequence('w', units) });
      const running = [
        engine.runs.start({ workflowId: 'w', sync: true }),
        engine.runs.start({ workflowId: 'w', sync: true }),
      ];
      await until(() => said.some(({ message }) => message.includes('could not be stored')), 'it is full');
      for (let i = 0; i < 10; i++) await clock.advance(100);
      await rm(ballast);
      for (const record of await inTime({ clock }, Promise.all(running)))
        expect(record.result?.completedUnits).toHaveLength(20);
      expect(new Set(calls).size).toBe(40);
      expect(calls).toHaveLength(40);
      await engine.close();
    });
  });
}

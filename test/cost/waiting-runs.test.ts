import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { v7 } from 'uuid';
import type { CancelTimer } from '../../src/engine/ports/clock.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { inSequence, workflowYaml } from '../support/engine.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { SteeredStore } from '../support/durability-store.js';

const RUNS = 10_000;
const AN_HOUR_MS = 3_600_000;
const A_DAY_MS = 24 * AN_HOUR_MS;

/** A clock that counts the timers that are set. */
class CountingClock extends ManualClock {
  timers = 0;

  override schedule(at: number, callback: () => void, isCare = false): CancelTimer {
    this.timers++;
    let isOpen = true;
    const end = (): void => {
      if (isOpen) this.timers--;
      isOpen = false;
    };
    const ring = (): void => {
      end();
      callback();
    };
    const cancel = super.schedule(at, ring, isCare);
    return () => {
      end();
      cancel();
    };
  }
}

const engines = new DurableEngines();
afterEach(() => engines.clear());

describe('ten thousand runs that wait for a retry in an hour', () => {
  it('take no timer each, are not read at the start, and all continue when they are due', async () => {
    const folder = engines.folder();
    const retry = { maxAttempts: 2, backoff: 'fixed', baseMs: AN_HOUR_MS, maxMs: AN_HOUR_MS, jitter: false };
    const yaml = workflowYaml('w', { units: [{ id: 'a', uses: 'work' }], flow: 'a', policy: { retry } });
    const failing = (): never => {
      throw new Error('not yet');
    };
    const first = await engines.open(folder, { work: failing });
    await first.engine.workflows.register({ yaml });
    const { runId } = await first.engine.runs.start({ workflowId: 'w' });
    await until(async () => (await first.store.readRow({ runId }))?.wakeAt !== null, 'the unit failed');
    await copyRun(first.store, runId, RUNS - 1);
    await first.engine.close();

    const empty = new CountingClock(first.clock.now());
    await engines.open(engines.folder(), {}, { clock: empty });
    const clock = new CountingClock(first.clock.now());
    const before = process.memoryUsage().rss;
    let calls = 0;
    const startedAt = performance.now();
    const second = await engines.open(folder, { work: () => ++calls }, { clock });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024);
    // As many as an engine without a run has; one more may be in flight at the moment.
    expect(clock.timers).toBeLessThanOrEqual(empty.timers + 1);
    expect(calls).toBe(0);

    await clock.advance(AN_HOUR_MS);
    await until(
      async () => {
        await clock.advance(1_000);
        return calls === RUNS;
      },
      'every unit is called',
      30_000,
    );
    await until(async () => {
      const left = await second.store.listDue({ lanes: null, before: clock.now(), after: null, limit: 1 });
      return left.length === 0;
    }, 'every run ends');
    expect(calls).toBe(RUNS);
  }, 60_000);

  it('cost nothing while nothing is due', async () => {
    const { engine, clock } = await engines.open(engines.folder(), { work: () => 1 });
    await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    await clock.advance(AN_HOUR_MS);
    expect((await engine.runs.start({ workflowId: 'w', sync: true })).status).toBe('completed');
  });
});

/** A store that counts the queries for due runs, and which runs are read. */
class WatchedStore extends SteeredStore {
  looks = 0;
  loads = 0;

  override listDue(...asked: Parameters<SteeredStore['listDue']>): ReturnType<SteeredStore['listDue']> {
    this.looks++;
    return super.listDue(...asked);
  }

  override load(...asked: Parameters<SteeredStore['load']>): ReturnType<SteeredStore['load']> {
    this.loads++;
    return super.load(...asked);
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('ten thousand runs that wait a week', () => {
  it('wake nothing, take next to no memory, and each ends once when the week is over', async () => {
    const folder = engines.folder();
    const wait = { id: 'wait', uses: 'builtin.wait', config: { duration: 'P7D' } };
    const first = await engines.open(folder);
    await first.engine.workflows.register({ yaml: workflowYaml('w', { units: [wait], flow: 'wait' }) });
    const { runId } = await first.engine.runs.start({ workflowId: 'w' });
    await copyRun(first.store, runId, RUNS - 1);
    await first.engine.close();

    const store = new WatchedStore(folder);
    const before = heapUsed();
    const clock = new ManualClock(first.clock.now());
    await engines.open(folder, {}, { store, clock });
    await clock.advance(6.5 * A_DAY_MS);
    // A hundred thousand may take 150 MB.
    expect(heapUsed() - before).toBeLessThan(15_000_000);
    // Four queries a day, and two at the start: for what is due now, and for what is due next.
    expect(store.looks).toBeLessThanOrEqual(2 * (6.5 * 4 + 1));
    expect([store.loads, store.asked]).toEqual([0, []]);

    await clock.advance(A_DAY_MS / 2);
    const ended = () =>
      store.asked.flatMap(({ runId: id, events }) =>
        events.filter(({ type }) => type === 'run-completed').map(() => id),
      );
    await until(
      async () => {
        await clock.advance(1_000);
        return ended().length >= RUNS;
      },
      'every run ends',
      30_000,
    );
    expect([ended().length, new Set(ended()).size]).toEqual([RUNS, RUNS]);
  }, 60_000);
});

/** Copies a run many times, under other ids, as if each had been started. */
async function copyRun(store: SteeredStore, runId: string, count: number): Promise<void> {
  const asked = store.asked.filter((request) => request.runId === runId);
  for (let made = 0; made < count; made += 500) {
    const ids = Array.from({ length: Math.min(500, count - made) }, () => v7());
    for (const request of asked) {
      await Promise.all(
        ids.map((id) =>
          store.append({
            ...request,
            runId: id,
            row: { ...request.row, runId: id },
            events: request.events.map((event) =>
              event.type === 'run-started' ? { ...event, runId: id } : event,
            ),
          }),
        ),
      );
    }
  }
}

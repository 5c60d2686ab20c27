import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import { DurableEngines } from '../support/durability-engine.js';
import { until } from '../support/eventually.js';
import { SteeredStore } from '../support/durability-store.js';
import { inSequence } from '../support/engine.js';

const STORED = 100_000;
const UNFINISHED = 300;
const BATCH = 2_000;
const yaml = inSequence('w', [{ id: 'work', uses: 'work', contextPolicy: { memory: { record: false } } }]);

const engines = new DurableEngines();
let folder: string;

/** Nearly all of the runs are over; a third of the rest waits for a person, the others were in flight. */
beforeAll(async () => {
  folder = engines.folder();
  const { engine, store } = await engines.open(folder, { work: () => new Promise(() => undefined) });
  await engine.workflows.register({ yaml });
  await engine.runs.start({ workflowId: 'w' });
  const sample = store.asked[0]!;
  for (let from = 0; from < STORED; from += BATCH) {
    const ids = Array.from({ length: BATCH }, (_, index) => from + index);
    await Promise.all(ids.map((number) => store.append(appendOf(sample, number))));
    store.asked.length = 0;
  }
  await engine.close();
}, 60_000);

afterAll(() => engines.clear());

/** A run like the one that was started, under another id and in another condition. */
function appendOf(sample: AppendRequest, number: number): AppendRequest {
  const runId = `run-${String(number).padStart(6, '0')}`;
  const isUnfinished = number % (STORED / UNFINISHED) < 1;
  const isPaused = number % 300 === 7;
  const started = { ...sample.events[0]!, runId } as RunEvent;
  const row = { ...sample.row, runId };
  if (isUnfinished) return { ...sample, runId, row, events: [started, ...sample.events.slice(1)] };
  const { at } = started;
  if (isPaused) {
    const location = { path: '/spec/flow', scope: '', unitId: 'work' };
    const pause = {
      v: 1,
      at,
      seq: 2,
      type: 'paused',
      ...location,
      reason: 'before',
      executionId: null,
    } as const;
    const waiting = { ...row, status: 'paused', openExecutions: 0 } as const;
    return { ...sample, runId, row: waiting, events: [started, pause] };
  }
  const ended = { ...row, status: 'completed', openExecutions: 0, endedAt: at } as const;
  return { ...sample, runId, row: ended, events: [started, { v: 1, at, seq: 2, type: 'run-completed' }] };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A store that counts how many runs are read at the same time, and which. */
class CountingStore extends SteeredStore {
  readonly loaded: string[] = [];
  mostAtOnce = 0;
  private atOnce = 0;

  override async load(request: Parameters<SteeredStore['load']>[0]): ReturnType<SteeredStore['load']> {
    this.loaded.push(request.runId);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    try {
      return await super.load(request);
    } finally {
      this.atOnce--;
    }
  }
}

describe('an engine over 100,000 stored runs', () => {
  it('opens within two seconds, loads none but those in flight, a few at a time, and calls them again', async () => {
    const calls = new Set<string>();
    const store = new CountingStore(folder);
    const before = heapUsed();
    const startedAt = performance.now();
    const { engine } = await engines.open(
      folder,
      {
        work: ({ context }) => {
          calls.add(context.runId);
          return new Promise(() => undefined);
        },
      },
      { store, maxExecutionsInFlight: 10_000 },
    );
    const openedAfterMs = performance.now() - startedAt;
    const grownBy = heapUsed() - before;
    await until(() => calls.size === UNFINISHED + 1, 'all that were in flight are called again');
    expect(openedAfterMs).toBeLessThan(2_000);
    expect(store.loaded).toHaveLength(UNFINISHED + 1);
    expect(store.mostAtOnce).toBeLessThanOrEqual(16);
    // A hundred thousand runs in memory would be hundreds of megabytes; the rows alone thirty.
    expect(grownBy).toBeLessThan(20 * 1024 * 1024);
    expect((await engine.runs.get({ workflowId: 'w', runId: 'run-000007' })).status).toBe('paused');
    expect((await engine.runs.get({ workflowId: 'w', runId: 'run-000001' })).status).toBe('completed');
    await engine.close();
  });
});

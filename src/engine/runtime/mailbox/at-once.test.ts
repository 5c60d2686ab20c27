import { inSequence, workflowYaml } from '../../../../test/support/engine.js';
import { definitionOf, FINISHED, LiveShell, settled } from '../../../../test/support/live-shell.js';
import { ANN } from '../../../../test/support/simulated-run.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import type { AppendRequest } from '../../ports/store/append.js';
import type { UnitOutcome } from '../../ports/unit-executor.js';
import { statusOf } from '../../core/state/status.js';
import { LiveRun } from './live-run.js';
import { SliceScheduler } from './slice-scheduler.js';

const work = (id: string) => ({ id, uses: 'work' });
const TWO = inSequence('w', [work('a'), work('b')]);

class CountingStore extends InMemoryRunStore {
  readonly asked: AppendRequest[] = [];

  override append(request: AppendRequest) {
    this.asked.push(request);
    return super.append(request);
  }
}

/** A live run whose units and store complete synchronously. */
function atOnce(yaml: string, slices = new SliceScheduler(() => 0)) {
  const store = new CountingStore();
  const shell = Object.assign(new LiveShell(store), { slices });
  const called: string[] = [];
  let answer: () => UnitOutcome | Promise<UnitOutcome> = () => FINISHED;
  shell.units.executorFor = (_definition, unit) => ({
    execute: () => {
      called.push(unit.id);
      return answer();
    },
  });
  const run = new LiveRun('run', definitionOf(yaml), shell);
  run.isOwned = true;
  const start = (input = {}): Promise<boolean> =>
    run.send([
      {
        type: 'start',
        at: shell.clock.now(),
        runId: 'run',
        namespace: 'default',
        input,
        labels: {},
        by: ANN,
        origin: { type: 'client' },
        parent: null,
      },
    ]);
  const answerWith = (next: typeof answer): void => void (answer = next);
  return { store, shell, run, called, start, answerWith };
}

describe('a run for which nothing has to be waited', () => {
  it('is over when its start was sent, and takes no timer', () => {
    const { run, start, called, shell, store } = atOnce(TWO);
    void start();
    expect([statusOf(run.durable), called]).toEqual(['completed', ['a', 'b']]);
    expect(store.asked).toHaveLength(3);
    expect(shell.clock.scheduled).toBe(0);
    expect(run.isIdle).toBe(true);
  });

  it('waits in the middle for the unit that takes a while, and is over with its outcome', async () => {
    const { run, start, called, answerWith, shell } = atOnce(TWO);
    const { promise, resolve } = Promise.withResolvers<UnitOutcome>();
    answerWith(() => (called.length === 2 ? promise : FINISHED));
    void start();
    expect([statusOf(run.durable), called]).toEqual(['running', ['a', 'b']]);
    expect(shell.clock.scheduled).toBe(1);
    resolve(FINISHED);
    await settled();
    expect(statusOf(run.durable)).toBe('completed');
  });

  it('has notified of its start before its first unit is called', () => {
    const { run, start, answerWith, shell } = atOnce(TWO);
    const said: number[] = [];
    answerWith(() => {
      said.push(shell.changes.length);
      return FINISHED;
    });
    void start();
    expect([statusOf(run.durable), said]).toEqual(['completed', [1, 2]]);
  });

  it('fails when its unit does, and tries again later one whose executor throws', () => {
    const failing = atOnce(TWO);
    failing.answerWith(() => ({
      kind: 'failed',
      error: 'no',
      retryable: false,
      outcome: 'refused',
      retryAfterMs: null,
    }));
    void failing.start();
    expect([statusOf(failing.run.durable), failing.called]).toEqual(['failed', ['a']]);
    const throwing = atOnce(TWO);
    throwing.answerWith(() => {
      throw new Error('a fault of ours');
    });
    void throwing.start();
    expect([statusOf(throwing.run.durable), throwing.called]).toEqual(['running', ['a']]);
    expect(throwing.shell.wakeUps.at(-1)).toBeGreaterThan(throwing.shell.clock.now());
  });

  it('goes through thousands of units without recursion', () => {
    const items = Array.from({ length: 2_000 }, (_, index) => index);
    const flow = { type: 'foreach', items: 'input.items', do: 'a' };
    const { run, start, called } = atOnce(workflowYaml('w', { units: [work('a')], flow }));
    void start({ items });
    expect([statusOf(run.durable), called.length]).toEqual(['completed', 2_000]);
  });

  it('calls no more units in one go than it may have in flight: their outcomes are decided in between', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `u${index}`);
    const flow = { type: 'parallel', units: ids };
    const policy = { concurrency: { maxParallelUnits: 4 } };
    const { run, start, called, store, answerWith } = atOnce(
      workflowYaml('w', { units: ids.map(work), flow, policy }),
    );
    const appendsBefore: number[] = [];
    answerWith(() => {
      appendsBefore.push(store.asked.length);
      return FINISHED;
    });
    void start();
    expect([statusOf(run.durable), called.length]).toEqual(['completed', 12]);
    expect(appendsBefore).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
  });

  it('yields to the event loop when its slice is over, in the middle of the run', async () => {
    let ms = 0;
    const items = Array.from({ length: 100 }, (_, index) => index);
    const flow = { type: 'foreach', items: 'input.items', do: 'a' };
    const { run, start, called, answerWith } = atOnce(
      workflowYaml('w', { units: [work('a')], flow }),
      new SliceScheduler(() => ms),
    );
    answerWith(() => {
      ms += 1;
      return FINISHED;
    });
    void start({ items });
    expect(called.length).toBeLessThanOrEqual(20);
    const seen: number[] = [];
    while (statusOf(run.durable) === 'running') {
      seen.push(called.length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(called).toHaveLength(100);
    expect(new Set(seen).size).toBeGreaterThanOrEqual(5);
  });
});

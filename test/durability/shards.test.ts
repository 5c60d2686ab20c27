import { createEngine, InMemoryMemoryIndex, type UnitHandler } from '../../src/engine/index.js';
import { InProcessRunWatch } from '../../src/engine/drivers/local/in-process-run-watch.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { SharedOwnership } from '../../src/engine/testing/ownership/shared-ownership.js';
import { sharedRunStore } from '../../src/engine/testing/shared-run-store.js';
import type { AppendRequest, AppendResult } from '../../src/engine/ports/store/append.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { inSequence } from '../support/engine.js';

/** A store that delays one append until it is released. */
class SlowStore extends InMemoryRunStore {
  held: ((request: AppendRequest) => Promise<void> | null) | null = null;

  override async append(request: AppendRequest): Promise<AppendResult> {
    const wait = this.held?.(request) ?? null;
    const result = await super.append(request);
    await wait;
    return result;
  }
}

async function two(units: (name: string) => Record<string, UnitHandler>, more: object = {}) {
  const clock = new ManualClock();
  const store = new SlowStore();
  const views = sharedRunStore(store, 2);
  const ownership = new SharedOwnership({ shardCount: 2, clock });
  const watch = new InProcessRunWatch();
  const open = async (name: string, view: RunStore) => {
    const driver = ownership.driver(name);
    const engine = createEngine({
      store: view,
      clock,
      watch,
      driver,
      memory: new InMemoryMemoryIndex(),
      sameInstantMs: 0,
      shutdownGraceMs: 0,
      ...more,
    });
    for (const [uses, handler] of Object.entries(units(name))) engine.registerUnit(uses, handler);
    await engine.open();
    return { engine, driver };
  };
  const left = await open('left', views[0]!);
  const right = await open('right', views[1]!);
  return { left, right, store, ownership, clock };
}

const gated = inSequence('w', [
  { id: 'gate', uses: 'builtin.approval' },
  { id: 'a', uses: 'work' },
]);

describe('shards that move in the middle of something', () => {
  it('a unit is called once, although the shard arrived while a decision was being stored', async () => {
    const calls: string[] = [];
    const { left, right, store, ownership, clock } = await two((name) => ({
      work: () => {
        calls.push(name);
        return new Promise(() => {});
      },
    }));
    await left.engine.workflows.register({ yaml: gated });
    const { runId } = await left.engine.runs.start({ workflowId: 'w' });
    const address = { workflowId: 'w', runId };
    const stored = Promise.withResolvers<void>();
    store.held = (request) => (request.expectedSeq > 0 ? stored.promise : null);
    // `right` does not own the run: it decides on a copy of its own.
    void right.engine.gates.respond({ ...address, approved: true, responder: 'ann' }).catch(() => {});
    await clock.advance(0);
    await clock.advance(0);
    store.held = null;
    for (const shard of ownership.shardsOf('left')) {
      const moving = ownership.move(shard, 'left', 'right');
      await clock.advance(50);
      await moving;
    }
    await clock.advance(50);
    stored.resolve();
    await clock.advance(50);
    // Another request reads the run again.
    void right.engine.gates
      .respond({ ...address, approved: true, responder: 'ann', idempotencyKey: 'k' })
      .catch(() => {});
    await clock.advance(50);
    expect(calls).toEqual(['right']);
    await clock.advance(60_000);
    await Promise.all([left.engine.close(), right.engine.close()]);
  });

  it('a unit is aborted in the process that lost its shard, and called by the other one', async () => {
    const said: string[] = [];
    const { left, right, ownership, clock } = await two((name) => ({
      work: (_request, { signal }) => {
        said.push(`${name} calls`);
        signal.addEventListener('abort', () => said.push(`${name} aborts`));
        return new Promise(() => {});
      },
    }));
    await left.engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    await left.engine.runs.start({ workflowId: 'w' });
    await clock.advance(0);
    for (const shard of ownership.shardsOf('left')) ownership.lose(shard, 'left', 'right');
    await clock.advance(50);
    expect(said).toEqual(['left calls', 'left aborts', 'right calls']);
    await Promise.all([left.engine.close(), right.engine.close()]);
  });

  it('a decision of a process that died before it woke the owner is acted upon at the next poll', async () => {
    const calls: string[] = [];
    const { left, right, clock } = await two((name) => ({ work: () => calls.push(name) }));
    await left.engine.workflows.register({ yaml: gated });
    const { runId } = await left.engine.runs.start({ workflowId: 'w' });
    right.driver.nudge = () => {};
    void right.engine.gates
      .respond({ workflowId: 'w', runId, approved: true, responder: 'ann' })
      .catch(() => {});
    await clock.advance(61_000);
    expect(calls).toEqual(['left']);
    await Promise.all([left.engine.close(), right.engine.close()]);
  });

  it('a decision of a process that died before it woke the owner is found by a look, and only once', async () => {
    const calls: string[] = [];
    const { left, right, ownership, clock } = await two((name) => ({ work: () => calls.push(name) }));
    await left.engine.workflows.register({ yaml: gated });
    const { runId } = await left.engine.runs.start({ workflowId: 'w' });
    right.driver.nudge = () => {};
    void right.engine.gates
      .respond({ workflowId: 'w', runId, approved: true, responder: 'ann' })
      .catch(() => {});
    await clock.advance(10);
    expect(calls).toEqual([]);
    expect(await ownership.look('right')).toBe(0);
    expect(await ownership.look('left')).toBe(1);
    await clock.advance(10);
    expect(calls).toEqual(['left']);
    expect(await ownership.look('left')).toBe(0);
    await Promise.all([left.engine.close(), right.engine.close()]);
  });

  it('a cancellation of a run in memory whose owner was not woken is found by a look', async () => {
    const said: string[] = [];
    const { left, right, ownership, clock } = await two(
      (name) => ({
        work: (_request, { signal }) => {
          signal.addEventListener('abort', () => said.push(`${name} aborts`));
          return new Promise(() => {});
        },
      }),
      { cancelGraceMs: 0 },
    );
    await left.engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    const { runId } = await left.engine.runs.start({ workflowId: 'w' });
    await clock.advance(0);
    expect(await ownership.look('left')).toBe(0);
    right.driver.nudge = () => {};
    await right.engine.runs.cancel({ workflowId: 'w', runId });
    await clock.advance(10);
    expect(said).toEqual([]);
    expect(await ownership.look('left')).toBe(1);
    await clock.advance(10);
    expect(said).toEqual(['left aborts']);
    await Promise.all([left.engine.close(), right.engine.close()]);
  });

  it('a run that waits for a slot is called once, after its shard left and came back', async () => {
    const calls: string[] = [];
    const blocker = Promise.withResolvers<string>();
    const { left, right, ownership, clock } = await two(
      (name) => ({
        hold: () => blocker.promise,
        work: ({ context }) => {
          calls.push(`${name} ${context.runId}`);
          return new Promise(() => {});
        },
      }),
      { maxExecutionsInFlight: 1 },
    );
    const { workflows, runs } = left.engine;
    await workflows.register({ yaml: inSequence('h', [{ id: 'a', uses: 'hold' }]) });
    await workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    await workflows.register({ yaml: gated.replace('"w"', '"g"') });
    // Shards are assigned in turn: the run that takes the slot is in the other one.
    for (const workflowId of ['h', 'g', 'g']) await runs.start({ workflowId });
    const { runId } = await runs.start({ workflowId: 'w' });
    const shard = Number.parseInt(runId.slice(-2), 16) % 2;
    expect(calls).toEqual([]);
    ownership.lose(shard, 'left', 'right');
    ownership.lose(shard, 'right', 'left');
    await clock.advance(50);
    blocker.resolve('done');
    await clock.advance(50);
    expect(calls.filter((call) => call === `left ${runId}`)).toHaveLength(1);
    await Promise.all([left.engine.close(), right.engine.close()]);
  });
});

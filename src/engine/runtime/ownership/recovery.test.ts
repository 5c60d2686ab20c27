import { inSequence } from '../../../../test/support/engine.js';
import { definitionOf, LiveShell, settled } from '../../../../test/support/live-shell.js';
import { ANN } from '../../../../test/support/simulated-run.js';
import { StoreError } from '../../../errors/service-errors.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import type { RunEvent } from '../../core/log/event.js';
import type { CallMark, CrashCounts } from '../../ports/store/crash-journal.js';
import { isInShards } from '../../ports/store/in-shards.js';
import type { ShardSet } from '../../ports/store/run-index.js';
import { WaitingForUnits } from '../dispatch/waiting-for-units.js';
import { LiveRuns } from '../mailbox/live-runs.js';
import { CrashLoopingRuns } from './crash-looping-runs.js';
import { Recovery } from './recovery.js';

const retry = { maxAttempts: 2, backoff: 'fixed', baseMs: 5_000, jitter: false };
const definition = definitionOf(inSequence('w', [{ id: 'a', uses: 'work' }], { policy: { retry } }));

class LeftStore extends InMemoryRunStore {
  left: readonly CallMark[] = [];
  deaths: readonly CrashCounts[] = [];
  readonly lists: (readonly [lanes: ShardSet | null, afterRunId: string | null])[] = [];
  /** The fault of reading a run, where set. */
  fault: Error | null = null;
  readonly loaded: string[] = [];

  /** As a store does it: by the shards of the runs, and each mark once. */
  override async callsLeftBehind({
    shards,
  }: Parameters<InMemoryRunStore['callsLeftBehind']>[0]): Promise<readonly CallMark[]> {
    const left = this.left.filter(({ runId }) => isInShards(shards, runId));
    this.left = this.left.filter((mark) => !left.includes(mark));
    return left;
  }

  override async deathsLeftBehind(): Promise<readonly CrashCounts[]> {
    return this.deaths;
  }

  override listUnfinished(
    request: Parameters<InMemoryRunStore['listUnfinished']>[0],
  ): ReturnType<InMemoryRunStore['listUnfinished']> {
    this.lists.push([request.lanes, request.afterRunId]);
    return super.listUnfinished(request);
  }

  override load(request: Parameters<InMemoryRunStore['load']>[0]): ReturnType<InMemoryRunStore['load']> {
    this.loaded.push(request.runId);
    return this.fault === null ? super.load(request) : Promise.reject(this.fault);
  }
}

/** A process over the store; its units never complete. */
function processOver(store: LeftStore) {
  const shell = new LiveShell(store);
  const live = new LiveRuns(shell, { pinnedTo: async () => definition }, true);
  shell.notifier.idle = (run) => live.forget(run);
  const crashLooping = new CrashLoopingRuns({ store, clock: shell.clock, logger: shell.logger });
  const waitingForUnits = new WaitingForUnits(shell.logger);
  const recovery = new Recovery({
    store,
    live,
    clock: shell.clock,
    logger: shell.logger,
    waitingForUnits,
    crashLooping,
    owns: () => shell.isOwner,
    isClosing: () => shell.isClosing,
  });
  const start = async (runId: string): Promise<void> => {
    const run = live.checkOutNew(runId, definition);
    await run.send([
      {
        type: 'start',
        at: shell.clock.now(),
        runId,
        namespace: 'default',
        input: {},
        labels: {},
        by: ANN,
        origin: { type: 'client' },
        parent: null,
      },
    ]);
    live.end(run);
  };
  return { shell, live, deadly: crashLooping, recovery, waitingForUnits, start };
}

/** A store with runs whose unit was in flight when their process died; for `marked` the call was marked as begun. */
async function afterCrash(runIds: readonly string[], marked: readonly string[] = runIds) {
  const store = new LeftStore();
  const dead = processOver(store);
  for (const runId of runIds) await dead.start(runId);
  store.left = marked.map((runId) => ({ runId, executionId: 2, attempt: 1 }));
  const next = processOver(store);
  const typesOf = async (runId: string) =>
    ((await store.readEvents({ runId, afterSeq: 2, limit: 10 })) as readonly RunEvent[]).map(
      ({ type }) => type,
    );
  return { store, next, typesOf };
}

describe('runs that a process left behind', () => {
  it('are taken over: called again under their keys, and it is counted where their call had begun', async () => {
    const { next, typesOf } = await afterCrash(['begun', 'not begun'], ['begun']);
    await next.recovery.readMarks(null);
    await next.recovery.takeOver(null);
    await settled();
    expect(next.shell.calls.map(({ key }) => key)).toEqual(['begun:2', 'not begun:2']);
    expect(await typesOf('begun')).toEqual(['recovered']);
    expect(await typesOf('not begun')).toEqual([]);
    expect(next.shell.logger.said).toEqual([
      { level: 'info', message: 'Runs were taken over', fields: { runs: 2 } },
    ]);
  });

  it('are not counted where they had ended, and only the mark of their call was left', async () => {
    const { store, next } = await afterCrash(['ended', 'open']);
    const { live, shell } = processOver(store);
    const cancel = { type: 'cancel', at: shell.clock.now(), by: ANN, graceMs: 0 } as const;
    await live.withRun('ended', (run) => run.send([cancel]));
    await next.recovery.readMarks(null);
    await next.recovery.takeOver(null);
    await settled();
    expect(next.shell.logger.said).toEqual([
      { level: 'info', message: 'Runs were taken over', fields: { runs: 1 } },
    ]);
  });

  it('count once, however often their shards come and go', async () => {
    const { next, typesOf } = await afterCrash(['run']);
    await next.recovery.readMarks(null);
    for (let times = 0; times < 3; times += 1) await next.recovery.takeOver(null);
    expect(await typesOf('run')).toEqual(['recovered']);
    await settled();
    expect(next.shell.called).toHaveLength(1);
  });

  it('of a version that did not mark which calls had begun count all that were open', async () => {
    const { next, typesOf } = await afterCrash(['old', 'new'], []);
    next.recovery.open(['old']);
    await next.recovery.readMarks(null);
    await next.recovery.takeOver(null);
    expect([await typesOf('old'), await typesOf('new')]).toEqual([['recovered'], []]);
  });

  it('are only those of the acquired shards: what is known of others waits for theirs', async () => {
    const { store, next, typesOf } = await afterCrash(['a-00', 'a-01']);
    const lanes = (shard: number): ShardSet => ({ count: 2, lanes: [shard] });
    store.loaded.length = 0;
    await next.recovery.readMarks(null);
    await next.recovery.takeOver(lanes(1));
    expect(store.loaded).toEqual(['a-01']);
    expect([await typesOf('a-00'), await typesOf('a-01')]).toEqual([[], ['recovered']]);
    await next.recovery.takeOver(lanes(0));
    expect(await typesOf('a-00')).toEqual(['recovered']);
  });

  it('of a shard that went away again count nothing when it comes back', async () => {
    const { next, typesOf } = await afterCrash(['a-00', 'a-01']);
    await next.recovery.readMarks(null);
    next.recovery.forget({ count: 2, lanes: [1] });
    await next.recovery.takeOver(null);
    expect([await typesOf('a-00'), await typesOf('a-01')]).toEqual([['recovered'], []]);
  });

  it('are looked for in the acquired shards, page after page', async () => {
    const store = new LeftStore();
    const { recovery, shell } = processOver(store);
    const lanes = { count: 8, lanes: [1] };
    await recovery.readMarks(lanes);
    await recovery.takeOver(lanes);
    expect(store.lists).toEqual([[lanes, null]]);
    expect(shell.logger.said).toEqual([]);
    const left = await afterCrash(['a', 'b'], []);
    await left.next.recovery.takeOver(null);
    expect(left.store.lists).toEqual([
      [null, null],
      [null, 'b'],
    ]);
  });

  it('are loaded once, also those whose call was marked', async () => {
    const { store, next } = await afterCrash(['a', 'b', 'c'], ['b']);
    store.loaded.length = 0;
    await next.recovery.readMarks(null);
    await next.recovery.takeOver(null);
    expect(store.loaded).toEqual(['b', 'a', 'c']);
  });

  it('are all taken over, more than are loaded at once', async () => {
    const runIds = Array.from({ length: 40 }, (_, index) => `run-${index}`);
    const { next } = await afterCrash(runIds, []);
    await next.recovery.takeOver(null);
    await settled();
    expect(next.shell.called).toHaveLength(40);
    expect(next.shell.logger.said.at(-1)?.fields).toEqual({ runs: 40 });
  });

  it('are left to their owner, and to the next process when this one ends', async () => {
    const { store, next } = await afterCrash(['run']);
    store.loaded.length = 0;
    await next.recovery.readMarks(null);
    next.shell.isOwner = false;
    await next.recovery.takeOver(null);
    expect(store.loaded).toEqual([]);
    next.shell.isOwner = true;
    next.shell.isClosing = true;
    const { lists } = store;
    const before = lists.length;
    await next.recovery.takeOver(null);
    expect(lists).toHaveLength(before);
  });

  it('wait for a unit that this process does not have, and count nothing by that', async () => {
    const { next, typesOf } = await afterCrash(['run']);
    next.shell.unknown.add('work');
    await next.recovery.readMarks(null);
    await next.recovery.takeOver(null);
    expect(next.waitingForUnits.take('work')).toEqual(['run']);
    expect(await typesOf('run')).toEqual([]);
    next.shell.unknown.clear();
    await next.recovery.recover('run', 1);
    await settled();
    expect(await typesOf('run')).toEqual(['recovered']);
    expect(next.shell.called).toEqual(['a']);
  });
});

describe('a run that cannot be taken over', () => {
  it('after a transient fault of the store is tried again, after 1 s, 2 s and up to a minute', async () => {
    const { store, next } = await afterCrash(['run']);
    store.fault = new StoreError('the disk is busy');
    await next.recovery.readMarks(null);
    store.loaded.length = 0;
    await next.recovery.recover('run', 1);
    const tries: number[] = [];
    for (let second = 1; second <= 200; second += 1) {
      const before = store.loaded.length;
      await next.shell.clock.advance(1_000);
      if (store.loaded.length > before) tries.push(second);
    }
    expect(tries).toEqual([1, 3, 7, 15, 31, 63, 123, 183]);
    expect(next.shell.logger.said[0]).toEqual({
      level: 'error',
      message: 'A run could not be taken over; it is tried again',
      fields: { runId: 'run', error: 'the disk is busy' },
    });
    store.fault = null;
    await next.shell.clock.advance(60_000);
    expect(next.shell.called).toEqual(['a']);
    expect(next.shell.clock.scheduled).toBe(1);
  });

  it.each([new Error('a newer version wrote it'), new StoreError('it is damaged', { permanent: true })])(
    'for good is said once, and the others are: %s',
    async (fault) => {
      const { store, next } = await afterCrash(['bad', 'good'], ['bad']);
      await next.recovery.readMarks(null);
      store.fault = fault;
      await next.recovery.recover('bad', 1);
      store.fault = null;
      expect(next.shell.logger.said).toEqual([
        {
          level: 'error',
          message: 'A run cannot be taken over; it stays as it is',
          fields: { runId: 'bad', error: fault.message },
        },
      ]);
      expect(next.shell.clock.scheduled).toBe(0);
    },
  );

  it('keeps no other from being taken over', async () => {
    const { store, next } = await afterCrash(['bad', 'good'], []);
    const { load } = store;
    store.load = (request) =>
      request.runId === 'bad' ? Promise.reject(new Error('no')) : load.call(store, request);
    await next.recovery.takeOver(null);
    await settled();
    expect(next.shell.calls.map(({ key }) => key)).toEqual(['good:2']);
  });

  it('is not tried again by a process that ends', async () => {
    const { store, next } = await afterCrash(['run']);
    store.fault = new StoreError('the disk is busy');
    next.shell.isClosing = true;
    await next.recovery.recover('run', 1);
    expect(next.shell.clock.scheduled).toBe(0);
  });
});

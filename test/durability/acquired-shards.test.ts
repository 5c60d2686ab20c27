import { StoreError } from '../../src/errors/service-errors.js';
import { createEngine, InMemoryMemoryIndex, type Engine } from '../../src/engine/index.js';
import { InProcessRunWatch } from '../../src/engine/drivers/local/in-process-run-watch.js';
import { shardOf } from '../../src/engine/core/ids/shard.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import type { CallMark, CrashCounts } from '../../src/engine/ports/store/crash-journal.js';
import { isInShards } from '../../src/engine/ports/store/in-shards.js';
import type { ShardSet } from '../../src/engine/ports/store/run-index.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { SharedOwnership } from '../../src/engine/testing/ownership/shared-ownership.js';
import { sharedRunStore } from '../../src/engine/testing/shared-run-store.js';
import { inSequence } from '../support/engine.js';

const SHARDS = 4;

/** A store that notes, in order, what it is asked of which shards, and has what dead processes left behind. */
class AskedStore extends InMemoryRunStore {
  asked: string[] = [];
  calls: readonly CallMark[] = [];
  deaths: readonly CrashCounts[] = [];
  isIll = false;

  override async callsLeftBehind({ shards }: { readonly shards: ShardSet | null }) {
    this.note('calls', shards);
    const left = this.calls.filter(({ runId }) => isInShards(shards, runId));
    this.calls = this.calls.filter((mark) => !left.includes(mark));
    return left;
  }

  override async deathsLeftBehind({ shards }: { readonly shards: ShardSet | null }) {
    this.note('deaths', shards);
    const left = this.deaths.filter(({ runId }) => isInShards(shards, runId));
    this.deaths = this.deaths.filter((counts) => !left.includes(counts));
    return left;
  }

  override async listUnfinished(request: Parameters<InMemoryRunStore['listUnfinished']>[0]) {
    this.note('runs', request.lanes);
    return super.listUnfinished(request);
  }

  override async listUnindexed() {
    this.asked.push('older runs');
    return super.listUnindexed();
  }

  private note(what: string, shards: ShardSet | null): void {
    this.asked.push(`${what} of ${shards === null ? 'all' : shards.lanes.join(' ')}`);
    if (this.isIll) throw new StoreError('The database is not there');
  }
}

const open: Engine[] = [];

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

/** Two engines on one store; the first has all shards, and its units never answer. */
async function two() {
  const clock = new ManualClock();
  const store = new AskedStore();
  const views = sharedRunStore(store, 2);
  const ownership = new SharedOwnership({ shardCount: SHARDS, clock });
  const watch = new InProcessRunWatch();
  const called: string[] = [];
  const engineOf = async (name: string, view: (typeof views)[number]): Promise<Engine> => {
    const engine = createEngine({
      store: view,
      clock,
      watch,
      driver: ownership.driver(name),
      memory: new InMemoryMemoryIndex(),
      shutdownGraceMs: 0,
    });
    engine.registerUnit('work', () => {
      called.push(name);
      return new Promise(() => {});
    });
    await engine.open();
    open.push(engine);
    return engine;
  };
  const left = await engineOf('left', views[0]!);
  const beginning = store.asked;
  await engineOf('right', views[1]!);
  store.asked = [];
  /** A run of the first engine whose unit is under way. */
  const running = async () => {
    await left.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
    const { runId } = await left.runs.start({ workflowId: 'w' });
    await clock.advance(0);
    const row = (await store.readRow({ runId }))!;
    const call: CallMark = { runId, executionId: row.lastSeq, attempt: 1 };
    const typesOf = async () =>
      (await store.readEvents({ runId, afterSeq: row.lastSeq, limit: 9 })).map(({ type }) => type);
    return { runId, row, call, typesOf, shard: shardOf(runId, SHARDS) };
  };
  return { left, clock, store, ownership, called, beginning, running };
}

describe('what a dead process left behind', () => {
  it('is asked for by a process that is alone before it reads any run, also one of an older version', async () => {
    const store = new AskedStore();
    const engine = createEngine({ store, memory: new InMemoryMemoryIndex() });
    await engine.open();
    open.push(engine);
    expect(store.asked.slice(0, 2)).toEqual(['deaths of all', 'older runs']);
  });

  it('is asked for once for all shards by a process that begins, before it takes over their runs', async () => {
    const { beginning, store } = await two();
    expect(beginning.filter((asked) => asked !== 'older runs')).toEqual([
      'deaths of all',
      'calls of all',
      'runs of all',
    ]);
    expect(store.asked).toEqual([]);
  });

  it('is asked for in the shards that were acquired, and in those alone', async () => {
    const { clock, store, ownership } = await two();
    ownership.lose(2, 'left', 'right');
    await clock.advance(10);
    expect(store.asked).toEqual(['deaths of 2', 'calls of 2', 'runs of 2']);
    store.asked = [];
    ownership.kill('left');
    await clock.advance(10);
    expect(store.asked).toEqual(['deaths of 0 1 3', 'calls of 0 1 3', 'runs of 0 1 3']);
  });

  it('is asked for by nobody after a planned hand-over', async () => {
    const { clock, store, ownership } = await two();
    await ownership.move(1, 'left', 'right');
    await clock.advance(10);
    expect(store.asked).toEqual(['runs of 1']);
  });

  it('counts as a recovery of the calls that had begun, in whichever process has the shard next', async () => {
    const { clock, store, ownership, called, running } = await two();
    const { call, typesOf } = await running();
    store.calls = [call];
    ownership.kill('left');
    await clock.advance(10);
    expect(await typesOf()).toEqual(['recovered']);
    expect(called).toEqual(['left', 'right']);
  });

  it('counts nothing where the shard was handed over, whatever the store still has', async () => {
    const { clock, store, ownership, called, running } = await two();
    const { call, typesOf, shard } = await running();
    store.calls = [call];
    const moving = ownership.move(shard, 'left', 'right');
    await clock.advance(10);
    await moving;
    await clock.advance(10);
    expect(await typesOf()).toEqual([]);
    expect(called).toEqual(['left', 'right']);
  });

  it('has a run paused in which processes died again and again, and that is not read for it', async () => {
    const { clock, store, ownership, called, running } = await two();
    const { runId, row, typesOf } = await running();
    store.deaths = [{ runId, lastSeq: row.lastSeq, deaths: 3 }];
    let loads = 0;
    const load = store.load.bind(store);
    store.load = (request) => {
      loads += 1;
      return load(request);
    };
    ownership.kill('left');
    await clock.advance(10);
    expect([await typesOf(), loads, called]).toEqual([['paused'], 0, ['left']]);
  });

  it('is asked for again after a fault of the store, and nothing is taken over before', async () => {
    const { clock, store, ownership, called, running } = await two();
    const { call, typesOf } = await running();
    store.calls = [call];
    store.isIll = true;
    ownership.kill('left');
    await clock.advance(2_000);
    expect(called).toEqual(['left']);
    expect(new Set(store.asked)).toEqual(new Set(['deaths of all']));
    store.isIll = false;
    await clock.advance(2_000);
    expect(await typesOf()).toEqual(['recovered']);
    expect(called).toEqual(['left', 'right']);
  });
});

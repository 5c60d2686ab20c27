import { inShard } from '../../core/ids/shard.js';
import type { OwnershipEvents, RunDriver } from '../../ports/run-driver.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { DueRuns } from './due-runs.js';
import { Ownership } from './ownership.js';
import type { Recovery } from './recovery.js';

const SHARDS = 4;
const runIn = (shard: number): string => inShard('01980000-0000-7000-8000-0000000000ff', shard, SHARDS);

/** One process whose driver a test directs, and what its ownership does to the parts around it. */
class Owning {
  readonly clock = new ManualClock(100_000);
  readonly logger = new RecordingLogger();
  readonly said: string[] = [];
  readonly runs: LiveRun[] = [];
  /** What the assessment of shards waits for. */
  assessing: () => Promise<void> = async () => undefined;
  readingMarks: () => Promise<void> = async () => undefined;
  takingOver: () => Promise<void> = async () => undefined;
  owned = new Set<number>();
  /** Called while the driver starts. */
  starting: (events: OwnershipEvents) => void = () => undefined;
  passes = 0;

  private readonly driver: Pick<RunDriver, 'shardCount' | 'isAlone' | 'start' | 'owns' | 'stop'> = {
    shardCount: SHARDS,
    isAlone: false,
    start: async (events) => this.starting(events),
    owns: (runId) => this.owned.has(Number.parseInt(runId.slice(-2), 16) % SHARDS),
    stop: async () => void this.said.push('driver stops'),
  };

  readonly ownership = new Ownership({
    driver: this.driver as RunDriver,
    store: { listUnfinished: async () => [], readRow: async () => null },
    live: {
      all: () => {
        this.passes += 1;
        return this.runs.values();
      },
      peek: () => undefined,
      forget: (run: LiveRun) => void this.said.push(`forget ${run.runId}`),
      withRun: async (runId: string) => {
        this.said.push(`look at ${runId}`);
        return null;
      },
    } as unknown as LiveRuns,
    due: {
      look: () => void this.said.push('due'),
      forget: (isForeign: (runId: string) => boolean) =>
        void this.said.push(`times of ${[0, 1, 2, 3].filter((shard) => isForeign(runIn(shard))).join(' ')}`),
    } as unknown as DueRuns,
    recovery: {
      readMarks: () => this.readingMarks(),
      forget: ({ lanes }: { readonly lanes: readonly number[] }) =>
        void this.said.push(`marks of ${lanes.join(' ')}`),
      takeOver: () => this.takingOver(),
    } as unknown as Recovery,
    crashLooping: { assess: () => this.assessing() },
    clock: this.clock,
    logger: this.logger,
    isClosing: () => false,
    handOverMs: 1_000,
    awaited: () => [],
    moved: () => undefined,
    changed: () => undefined,
  });

  acquire(shards: readonly number[], clean: boolean): void {
    for (const shard of shards) this.owned.add(shard);
    this.ownership.acquired(shards, { clean });
  }

  /** A run in memory, busy until it is told otherwise. */
  busy(shard: number): { isIdle: boolean } {
    const run = { runId: runIn(shard), isIdle: false, releaseOwnership: () => undefined };
    this.runs.push(run as unknown as LiveRun);
    return run;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a run that others nudge', () => {
  it('is not touched before what the dead left behind there is read, and is looked at then', async () => {
    const owning = new Owning();
    await owning.ownership.open();
    const { promise, resolve } = Promise.withResolvers<void>();
    owning.assessing = () => promise;
    owning.acquire([1], false);
    for (let count = 0; count < 3; count += 1) owning.ownership.nudged(runIn(1));
    await settled();
    expect(owning.said).toEqual([]);
    resolve();
    await settled();
    expect(owning.said.filter((said) => said.startsWith('look'))).toEqual([`look at ${runIn(1)}`]);
  });

  it('is not looked at where its shard went away meanwhile', async () => {
    const owning = new Owning();
    await owning.ownership.open();
    const { promise, resolve } = Promise.withResolvers<void>();
    owning.assessing = () => promise;
    owning.acquire([1], false);
    owning.ownership.nudged(runIn(1));
    owning.ownership.lost([1]);
    resolve();
    await settled();
    expect(owning.said.filter((said) => said.startsWith('look'))).toEqual([]);
  });
});

describe('shards that are acquired', () => {
  it('while the engine opens, after the driver has started, are tried again after a fault', async () => {
    const owning = new Owning();
    let faults = 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    owning.takingOver = () => promise;
    owning.starting = () => owning.acquire([1], true);
    owning.assessing = async () => {
      if (faults-- > 0) throw new Error('The connection is gone');
    };
    const opening = owning.ownership.open();
    await settled();
    owning.acquire([2], false);
    await settled();
    resolve();
    await opening;
    await owning.clock.advance(1_000);
    expect(owning.ownership.ownShards()).toEqual({ count: SHARDS, lanes: [1, 2] });
    expect(owning.logger.at('error')).toHaveLength(1);
  });

  it('by the start itself fail it, and the driver is stopped', async () => {
    const owning = new Owning();
    owning.starting = () => owning.acquire([1], false);
    owning.assessing = () => Promise.reject(new Error('The connection is gone'));
    await expect(owning.ownership.open()).rejects.toThrow('The connection is gone');
    expect(owning.said).toEqual(['driver stops']);
  });

  it('leave no marks behind where they went away while those were read', async () => {
    const owning = new Owning();
    await owning.ownership.open();
    const { promise, resolve } = Promise.withResolvers<void>();
    owning.readingMarks = () => promise;
    owning.acquire([1, 2], false);
    await settled();
    owning.ownership.lost([2]);
    owning.said.length = 0;
    resolve();
    await settled();
    expect(owning.said.filter((said) => said.startsWith('marks'))).toEqual(['marks of 2']);
  });

  it('are another tenure each time', async () => {
    const { ownership } = new Owning();
    ownership.acquired([1], { clean: true });
    const first = ownership.tenure(runIn(1));
    ownership.lost([1]);
    expect(ownership.tenure(runIn(1))).toBeUndefined();
    ownership.acquired([1], { clean: true });
    expect([first === undefined, ownership.tenure(runIn(1)) === first]).toEqual([false, false]);
  });
});

describe('shards that are given up', () => {
  it('wait for what is in flight together, and forget the times of their runs', async () => {
    const owning = new Owning();
    await owning.ownership.open();
    owning.acquire([0, 1, 2, 3], true);
    const runs = [0, 1, 2, 3].map((shard) => owning.busy(shard));
    owning.passes = 0;
    const released: number[] = [];
    for (const shard of [0, 1, 2, 3]) void owning.ownership.release(shard).then(() => released.push(shard));
    await owning.clock.advance(100);
    expect(released).toEqual([]);
    // Every 10 ms one pass over what is in memory, however many wait.
    expect(owning.passes).toBeLessThanOrEqual(12);
    runs[2]!.isIdle = true;
    await owning.clock.advance(10);
    expect(released).toEqual([2]);
    expect(owning.said).toContain('times of 2');
    await owning.clock.advance(1_000);
    expect(released.toSorted()).toEqual([0, 1, 2, 3]);
  });

  it('are found to be idle or not in one pass', async () => {
    const owning = new Owning();
    await owning.ownership.open();
    owning.busy(1);
    owning.passes = 0;
    expect([0, 1, 2, 3].map((shard) => owning.ownership.isIdle(shard))).toEqual([true, false, true, true]);
    expect(owning.passes).toBe(1);
    await settled();
    owning.runs.length = 0;
    expect(owning.ownership.isIdle(1)).toBe(true);
  });
});

it('a look looks also at what is due: who appends to a foreign run may set that', async () => {
  const owning = new Owning();
  await owning.ownership.open();
  owning.acquire([0, 1], true);
  await settled();
  owning.said.length = 0;
  await owning.ownership.look([0, 1]);
  expect(owning.said).toEqual(['due']);
});

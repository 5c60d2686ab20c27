import { messageOf } from '../../../errors/flowgate-error.js';
import { shardOf } from '../../core/ids/shard.js';
import { sleep, waitAtMost, type Clock } from '../../ports/clock.js';
import type { OwnershipEvents, RunDriver } from '../../ports/run-driver.js';
import type { ShardSet } from '../../ports/store/run-index.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunInMemory } from '../run-shell.js';
import type { DueRuns } from './due-runs.js';
import type { Recovery } from './recovery.js';

const POLL_MS = 10;
/** Neither the start nor due runs wait longer than this for runs to be taken over. */
const LONGEST_WAIT_MS = 1_000;

export interface OwnershipOptions {
  readonly driver: RunDriver;
  readonly live: LiveRuns;
  readonly due: DueRuns;
  readonly recovery: Recovery;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** How long units of a shard that is given up may take to end, in ms. */
  readonly handOverMs: number;
  /** Callers that wait here for runs of shards that went away have to poll the store from now on. */
  readonly moved: (isMoved: (runId: string) => boolean) => void;
  /** Another process appended to the run. */
  readonly changed: (run: RunInMemory) => void;
}

/**
 * Acts on the ownership of shards: the unfinished runs of an acquired shard are taken over and woken when due; of a shard
 * that is given up, nothing is called any more.
 */
export class Ownership implements OwnershipEvents {
  private readonly shards = new Set<number>();
  /** Resolves when all shards acquired so far are taken over. */
  private takingOver: Promise<void> = Promise.resolve();
  /** How many acquisitions are still being taken over. */
  private openTakeOvers = 0;

  constructor(private readonly options: OwnershipOptions) {}

  /** Starts the driver, and takes over the owned runs; what takes longer than a moment continues in the background. */
  async open(): Promise<void> {
    await this.options.driver.start(this);
    await waitAtMost(this.options.clock, LONGEST_WAIT_MS, this.takingOver);
  }

  /** Whether nothing is being taken over at the moment. */
  get hasTakenOver(): boolean {
    return this.openTakeOvers === 0;
  }

  owns(runId: string): boolean {
    return this.options.driver.owns(runId);
  }

  /** The shards of this process; null: all there are. */
  ownShards(): ShardSet | null {
    const { shardCount } = this.options.driver;
    return this.shards.size === shardCount ? null : { count: shardCount, lanes: [...this.shards] };
  }

  acquired(shards: readonly number[]): void {
    const { driver, recovery, due, clock, logger } = this.options;
    for (const shard of shards) this.shards.add(shard);
    const all = shards.length === driver.shardCount;
    this.openTakeOvers += 1;
    const taking = recovery
      .takeOver(all ? null : { count: driver.shardCount, lanes: shards })
      .finally(() => (this.openTakeOvers -= 1))
      .catch((error: unknown) => {
        logger.error('The runs that are ours now could not be listed; those that are due are found later', {
          error: messageOf(error),
        });
        if (all) throw error;
      });
    void waitAtMost(clock, LONGEST_WAIT_MS, taking)
      .catch(() => undefined)
      .then(() => due.look());
    // Shards of crashed processes and released shards may be acquired one after another.
    this.takingOver = this.takingOver.then(() => taking);
    // Only `open` awaits this; later failures are logged above.
    taking.catch(() => undefined);
    this.takingOver.catch(() => undefined);
  }

  async release(shard: number): Promise<void> {
    const { clock, handOverMs } = this.options;
    this.shards.delete(shard);
    const deadline = clock.now() + handOverMs;
    while (this.runsOf([shard]).some((run) => !run.isIdle) && clock.now() < deadline) {
      await sleep(clock, POLL_MS);
    }
    this.releaseRuns([shard]);
  }

  lost(shards: readonly number[]): void {
    for (const shard of shards) this.shards.delete(shard);
    this.releaseRuns(shards);
  }

  nudged(runId: string): void {
    const { live, logger, changed } = this.options;
    if (!this.owns(runId)) return;
    // The checkout itself begins with a look at the store; the empty message makes the run act upon what was found.
    void live
      .withRun(runId, async (run) => {
        await run.send([]);
        changed(run);
      })
      .catch((error: unknown) => {
        logger.warn('A run to which somebody else appended could not be read; the next look tries again', {
          runId,
          error: messageOf(error),
        });
      });
  }

  private releaseRuns(shards: readonly number[]): void {
    const { due, live, driver, moved } = this.options;
    for (const run of this.runsOf(shards)) {
      run.releaseOwnership();
      live.forget(run);
      due.set(run.runId, null);
    }
    moved((runId) => shards.includes(shardOf(runId, driver.shardCount)));
  }

  private runsOf(shards: readonly number[]): readonly LiveRun[] {
    const { live, driver } = this.options;
    return [...live.all()].filter(({ runId }) => shards.includes(shardOf(runId, driver.shardCount)));
  }
}

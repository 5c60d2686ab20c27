import { messageOf } from '../../../errors/flowgate-error.js';
import { shardOf } from '../../core/ids/shard.js';
import { sleep, waitAtMost, type Clock } from '../../ports/clock.js';
import type { OwnershipEvents, RunDriver } from '../../ports/run-driver.js';
import type { RunIndex, ShardSet } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { EngineLogger } from '../../ports/logger.js';
import { doublingMs } from '../doubling.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunInMemory } from '../run-shell.js';
import type { CrashLoopingRuns } from './crash-looping-runs.js';
import type { DueRuns } from './due-runs.js';
import { MissedNudges } from './missed-nudges.js';
import type { Recovery } from './recovery.js';

const POLL_MS = 10;
/** Neither the start nor due runs wait longer than this for runs to be taken over. */
const LONGEST_WAIT_MS = 1_000;
/** After a fault of the store shards are tried again after this time, which doubles each time. */
const RETRY = { firstMs: 250, longestMs: 30_000 };
/** The clocks of two processes differ by less. */
const SKEW_MS = 1_000;

/** Shards that came to this process at once. */
interface Acquisition {
  readonly shards: readonly number[];
  /** When they were taken from a process that died, or from nobody (epoch ms); null: their last owner released them. */
  readonly uncleanAt: number | null;
  /** When they came (epoch ms). */
  readonly at: number;
  /** The driver was only just starting: a fault of the store ends the opening of the engine. */
  readonly mayFail: boolean;
  /** The deaths in them are assessed: their runs may be woken, and examined. */
  isAssessed: boolean;
  /** Runs to look at as soon as that is so. */
  readonly nudged: Set<string>;
}

export interface OwnershipOptions {
  readonly driver: RunDriver;
  readonly store: Pick<RunIndex, 'listUnfinished'> & Pick<RunLog, 'readRow'>;
  readonly live: LiveRuns;
  readonly due: DueRuns;
  readonly recovery: Recovery;
  readonly crashLooping: Pick<CrashLoopingRuns, 'assess'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly isClosing: () => boolean;
  /** How long units of a shard that is given up may take to end, in ms. */
  readonly handOverMs: number;
  /** The runs of this process that somebody here waits for. */
  readonly awaited: () => Iterable<string>;
  /** Callers that wait here for runs of shards that went away have to poll the store from now on. */
  readonly moved: (isMoved: (runId: string) => boolean) => void;
  /** Another process appended to the run. */
  readonly changed: (run: RunInMemory) => void;
}

/**
 * Acts on the ownership of shards: the unfinished runs of an acquired shard are taken over and woken when due; of a shard
 * that is given up, nothing is called any more.
 *
 * 1. Where a process died with a shard, its marks and its deaths are read before anything of the shard is taken over, woken or
 *    looked at; after a planned hand-over nothing is.
 * 2. After a fault of the store an acquisition is tried again, for as long as the shards stay here; only those that the driver
 *    begins with fail, and with them the opening of the engine.
 */
export class Ownership implements OwnershipEvents {
  /** The owned shards, each with how it came here. */
  private readonly held = new Map<number, Acquisition>();
  /** Resolves when the deaths in all shards acquired so far are assessed. */
  private assessing: Promise<void> = Promise.resolve();
  /** Resolves when all shards acquired so far are taken over. */
  private takingOver: Promise<void> = Promise.resolve();
  /** How many acquisitions are still being taken over. */
  private openTakeOvers = 0;
  private hasStarted = false;
  private isOpen = false;
  /** Shards that are being given up wait for the next look at what is in flight together. */
  private polling: Promise<ReadonlySet<number>> | null = null;
  /** What was busy when somebody asked last, until what follows is done. */
  private busy: ReadonlySet<number> | null = null;
  private readonly missed: MissedNudges;

  constructor(private readonly options: OwnershipOptions) {
    const { store, live, clock, isClosing, awaited } = options;
    this.missed = new MissedNudges({
      store,
      live,
      clock,
      owns: (runId) => this.owns(runId),
      isClosing,
      awaited,
      isSinceAcquired: ({ runId, updatedAt }) => {
        const acquisition = this.acquisitionOf(runId);
        return acquisition !== undefined && updatedAt >= acquisition.at - SKEW_MS;
      },
      nudge: (runId) => this.lookAt(runId),
    });
  }

  /** Starts the driver, and takes over the owned runs; what takes longer than a moment continues in the background. */
  async open(): Promise<void> {
    const { driver, clock } = this.options;
    try {
      await driver.start(this);
      this.hasStarted = true;
      await this.assessing;
      await waitAtMost(clock, LONGEST_WAIT_MS, this.takingOver);
    } catch (error) {
      // An engine that is not open must not go on to own runs.
      await driver.stop().catch(() => undefined);
      throw error;
    } finally {
      this.isOpen = true;
    }
  }

  /** Whether nothing is being taken over at the moment. */
  get hasTakenOver(): boolean {
    return this.openTakeOvers === 0;
  }

  owns(runId: string): boolean {
    return this.options.driver.owns(runId);
  }

  /** The shards of this process whose runs may be woken and examined; null: all there are. */
  ownShards(): ShardSet | null {
    const lanes: number[] = [];
    for (const [shard, { isAssessed }] of this.held) if (isAssessed) lanes.push(shard);
    return this.setOf(lanes);
  }

  /** See `RunOwnership`. */
  followsDeath(runId: string, updatedAt: number): boolean {
    const uncleanAt = this.acquisitionOf(runId)?.uncleanAt ?? null;
    return uncleanAt !== null && updatedAt <= uncleanAt + SKEW_MS;
  }

  /** See `RunOwnership`. */
  tenure(runId: string): unknown {
    return this.acquisitionOf(runId);
  }

  acquired(shards: readonly number[], { clean }: { readonly clean: boolean }): void {
    const at = this.options.clock.now();
    const acquisition: Acquisition = {
      shards,
      uncleanAt: clean ? null : at,
      at,
      mayFail: !this.hasStarted,
      isAssessed: clean,
      nudged: new Set(),
    };
    for (const shard of shards) this.held.set(shard, acquisition);
    this.openTakeOvers += 1;
    const assessing = clean ? Promise.resolve() : this.assess(acquisition);
    const taking = assessing
      .then(() => this.takeOver(acquisition))
      .finally(() => {
        this.openTakeOvers -= 1;
      });
    // Shards of crashed processes and released shards may be acquired one after another.
    this.assessing = this.assessing.then(() => assessing);
    this.takingOver = this.takingOver.then(() => taking);
    // Only `open` awaits these; later failures are logged, and tried again.
    for (const awaited of [assessing, taking, this.assessing, this.takingOver])
      awaited.catch(() => undefined);
  }

  async release(shard: number): Promise<void> {
    const { clock, handOverMs } = this.options;
    this.held.delete(shard);
    const deadline = clock.now() + handOverMs;
    let busy = this.busyShards();
    while (busy.has(shard) && clock.now() < deadline) busy = await this.busySoon();
    this.releaseRuns([shard]);
  }

  lost(shards: readonly number[]): void {
    for (const shard of shards) this.held.delete(shard);
    this.releaseRuns(shards);
  }

  nudged(runId: string): void {
    if (!this.owns(runId)) return;
    const acquisition = this.acquisitionOf(runId);
    if (acquisition === undefined || acquisition.isAssessed) void this.lookAt(runId);
    else acquisition.nudged.add(runId);
  }

  async look(shards: readonly number[]): Promise<number> {
    const lanes = shards.filter((shard) => this.held.get(shard)?.isAssessed === true);
    // Who appends to a foreign run may also have set when it is due.
    if (lanes.length > 0) this.options.due.look();
    return lanes.length === 0 ? 0 : this.missed.look({ count: this.options.driver.shardCount, lanes });
  }

  isIdle(shard: number): boolean {
    return !this.busyShards().has(shard);
  }

  private acquisitionOf(runId: string): Acquisition | undefined {
    return this.held.get(shardOf(runId, this.options.driver.shardCount));
  }

  /** Looks at an owned run to which another process appended. False: it could not be read. Never rejects. */
  private async lookAt(runId: string): Promise<boolean> {
    const { live, logger, changed } = this.options;
    try {
      // The checkout itself begins with a look at the store; the empty message makes the run act upon what was found.
      await live.withRun(runId, async (run) => {
        await run.send([]);
        changed(run);
      });
      return true;
    } catch (error) {
      logger.warn('A run to which somebody else appended could not be read; the next look tries again', {
        runId,
        error: messageOf(error),
      });
      return false;
    }
  }

  /** Reads what a process that died left behind in the shards. */
  private async assess(acquisition: Acquisition): Promise<void> {
    const { crashLooping, recovery, driver } = this.options;
    await this.untilDone(acquisition, async (shards) => {
      await crashLooping.assess(shards);
      await recovery.readMarks(shards);
      // The marks of what went away meanwhile are somebody else's to count.
      const gone = acquisition.shards.filter((shard) => this.held.get(shard) !== acquisition);
      if (gone.length > 0) recovery.forget({ count: driver.shardCount, lanes: gone });
    });
    acquisition.isAssessed = true;
    for (const runId of acquisition.nudged) if (this.acquisitionOf(runId) === acquisition) this.nudged(runId);
    acquisition.nudged.clear();
  }

  private async takeOver(acquisition: Acquisition): Promise<void> {
    const { recovery, due, clock } = this.options;
    await this.untilDone(acquisition, (shards) => {
      const taking = recovery.takeOver(shards);
      void waitAtMost(clock, LONGEST_WAIT_MS, taking)
        .catch(() => undefined)
        .then(() => due.look());
      return taking;
    });
  }

  /** Does it for those of the shards that are still held in this way; again after a fault, unless the engine just opens with them. */
  private async untilDone(
    acquisition: Acquisition,
    work: (shards: ShardSet | null) => Promise<void>,
  ): Promise<void> {
    const { clock, logger, isClosing } = this.options;
    let failures = 0;
    for (;;) {
      const shards = acquisition.shards.filter((shard) => this.held.get(shard) === acquisition);
      if (shards.length === 0 || (failures > 0 && isClosing())) return;
      try {
        return await work(this.setOf(shards));
      } catch (error) {
        if (acquisition.mayFail && !this.isOpen) throw error;
        failures += 1;
        if (failures === 1) {
          logger.error('Shards that are ours now could not be taken over; they are tried again', {
            shards: shards.length,
            error: messageOf(error),
          });
        }
        await sleep(clock, doublingMs(failures, RETRY));
      }
    }
  }

  private setOf(lanes: readonly number[]): ShardSet | null {
    const { shardCount } = this.options.driver;
    return lanes.length === shardCount ? null : { count: shardCount, lanes };
  }

  private releaseRuns(shards: readonly number[]): void {
    const { due, live, driver, moved, recovery } = this.options;
    const left = new Set(shards);
    const isMoved = (runId: string): boolean => left.has(shardOf(runId, driver.shardCount));
    for (const run of [...live.all()].filter(({ runId }) => isMoved(runId))) {
      run.releaseOwnership();
      live.forget(run);
    }
    // Also of runs that are not in memory: should the shard come back, they are found due again, and no earlier.
    due.forget(isMoved);
    recovery.forget({ count: driver.shardCount, lanes: shards });
    moved(isMoved);
  }

  /** The shards with runs of which something is in flight: one pass for all who ask at once. */
  private busyShards(): ReadonlySet<number> {
    if (this.busy !== null) return this.busy;
    const { live, driver } = this.options;
    const busy = new Set<number>();
    for (const run of live.all()) if (!run.isIdle) busy.add(shardOf(run.runId, driver.shardCount));
    this.busy = busy;
    queueMicrotask(() => {
      this.busy = null;
    });
    return busy;
  }

  private busySoon(): Promise<ReadonlySet<number>> {
    this.polling ??= sleep(this.options.clock, POLL_MS).then(() => {
      this.polling = null;
      return this.busyShards();
    });
    return this.polling;
  }
}

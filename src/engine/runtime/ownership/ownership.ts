import { messageOf } from '../../../errors/flowgate-error.js';
import { laneOf } from '../../core/lane.js';
import { sleep, waitAtMost, type Clock } from '../../ports/clock.js';
import type { OwnershipEvents, RunDriver } from '../../ports/run-driver.js';
import type { LaneSet } from '../../ports/run-store.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunInMemory } from '../mailbox/run-shell.js';
import type { DueRuns } from './due-runs.js';
import type { Recovery } from './recovery.js';

const POLL_MS = 10;
/** Neither the start nor what is due waits longer for runs to be taken over. */
const LONGEST_WAIT_MS = 1_000;

export interface OwnershipOptions {
  readonly driver: RunDriver;
  readonly live: LiveRuns;
  readonly due: DueRuns;
  readonly recovery: Recovery;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** How long units of a lane that is given up may take to come to their end, in ms. */
  readonly handOverMs: number;
  /** Those who wait here for runs of lanes that went away look to the store from now on. */
  readonly moved: (isMoved: (runId: string) => boolean) => void;
  /** Somebody else appended to the run. */
  readonly changed: (run: RunInMemory) => void;
}

/**
 * What it means that a lane is ours: its unfinished runs are taken over and its due times looked after; when it goes,
 * nothing of it is called any more.
 */
export class Ownership implements OwnershipEvents {
  private readonly lanes = new Set<number>();
  /** All that was to be taken over until now. */
  private takingOver: Promise<void> = Promise.resolve();
  /** How many times lanes came whose runs are still being taken over. */
  private arrivals = 0;

  constructor(private readonly options: OwnershipOptions) {}

  /** Takes part, and takes over what is ours; what takes longer than a moment goes on while others are served. */
  async open(): Promise<void> {
    await this.options.driver.start(this);
    await waitAtMost(this.options.clock, LONGEST_WAIT_MS, this.takingOver);
  }

  /** Whether nothing is being taken over at the moment. */
  get hasTakenOver(): boolean {
    return this.arrivals === 0;
  }

  owns(runId: string): boolean {
    return this.options.driver.owns(runId);
  }

  /** The lanes of this process; null: all there are. */
  ownLanes(): LaneSet | null {
    const { laneCount } = this.options.driver;
    return this.lanes.size === laneCount ? null : { count: laneCount, lanes: [...this.lanes] };
  }

  acquired(lanes: readonly number[]): void {
    const { driver, recovery, due, clock, logger } = this.options;
    for (const lane of lanes) this.lanes.add(lane);
    const all = lanes.length === driver.laneCount;
    this.arrivals += 1;
    const taking = recovery
      .takeOver(all ? null : { count: driver.laneCount, lanes })
      .finally(() => (this.arrivals -= 1))
      .catch((error: unknown) => {
        logger.error('The runs that are ours now could not be listed; those that are due are found later', {
          error: messageOf(error),
        });
        if (all) throw error;
      });
    void waitAtMost(clock, LONGEST_WAIT_MS, taking)
      .catch(() => undefined)
      .then(() => due.look());
    // Lanes of the dead and lanes that were let go of may come one after another.
    this.takingOver = this.takingOver.then(() => taking);
    // Whoever opens awaits it; later on nobody does, and then it was said above.
    taking.catch(() => undefined);
    this.takingOver.catch(() => undefined);
  }

  async release(lane: number): Promise<void> {
    const { clock, handOverMs } = this.options;
    this.lanes.delete(lane);
    const deadline = clock.now() + handOverMs;
    while (this.runsOf([lane]).some((run) => !run.isIdle) && clock.now() < deadline) {
      await sleep(clock, POLL_MS);
    }
    this.letGo([lane]);
  }

  lost(lanes: readonly number[]): void {
    for (const lane of lanes) this.lanes.delete(lane);
    this.letGo(lanes);
  }

  nudged(runId: string): void {
    const { live, logger, changed } = this.options;
    if (!this.owns(runId)) return;
    // The lease itself begins with a look at the store; the empty mail has what was found acted upon.
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

  private letGo(lanes: readonly number[]): void {
    const { due, live, driver, moved } = this.options;
    for (const run of this.runsOf(lanes)) {
      run.letGo();
      live.forget(run);
      due.set(run.runId, null);
    }
    moved((runId) => lanes.includes(laneOf(runId, driver.laneCount)));
  }

  private runsOf(lanes: readonly number[]): readonly LiveRun[] {
    const { live, driver } = this.options;
    return [...live.all()].filter(({ runId }) => lanes.includes(laneOf(runId, driver.laneCount)));
  }
}

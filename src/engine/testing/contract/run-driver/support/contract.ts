import { inShard } from '../../../../core/ids/shard.js';
import type { OwnershipEvents, RunDriver } from '../../../../ports/run-driver.js';
import type { ManualClock } from '../../../manual-clock.js';
import type { RecordingLogger } from '../../../recording-logger.js';

/** Two processes on one store; how a test steers what the driver does by itself in production. */
export interface SecondProcess {
  /** Not started. */
  readonly driver: RunDriver;
  /** A planned hand-over of a shard of the first process to the second. */
  move(shard: number): Promise<void>;
  /** The first process dies. */
  killFirst(): Promise<void>;
}

export interface DriverUnderTest {
  /** Not started. */
  readonly driver: RunDriver;
  /** The drivers' clock. */
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  /** Null: a driver for a process that is alone. */
  readonly second: SecondProcess | null;
  dispose(): Promise<void>;
}

/** What a contract file sees; `hasSecond` is known before the tests run. */
export interface RunDriverHarness {
  readonly hasSecond: boolean;
  readonly current: DriverUnderTest;
  readonly second: SecondProcess;
}

/** Records what a driver reports to its engine, in order. `release` waits for `finishRelease`. */
export class RecordedEvents implements OwnershipEvents {
  readonly notifications: string[] = [];
  readonly acquiredShards: number[] = [];
  private readonly releasing = Promise.withResolvers<void>();

  acquired(shards: readonly number[], { clean }: { readonly clean: boolean }): void {
    this.acquiredShards.push(...shards);
    this.notifications.push(`acquired ${clean ? 'cleanly' : 'from the dead'}`);
  }

  release(shard: number): Promise<void> {
    this.notifications.push(`release ${shard}`);
    return this.releasing.promise;
  }

  lost(shards: readonly number[]): void {
    this.notifications.push(`lost ${shards.join(' ')}`);
  }

  nudged(runId: string): void {
    this.notifications.push(`nudged ${runId}`);
  }

  finishRelease(): void {
    this.releasing.resolve();
  }
}

/** The id of a run of that shard. */
export function runIn(shard: number, driver: RunDriver): string {
  return inShard('01980000-0000-7000-8000-0000000000ff', shard, driver.shardCount);
}

export function everyShard(driver: RunDriver): readonly number[] {
  return Array.from({ length: driver.shardCount }, (_, shard) => shard);
}

let settling: (() => Promise<void>) | null = null;

/** How `settle` waits, for a driver whose answers come from another process; null: as usual. Set it for one test at a time. */
export function settleBy(way: (() => Promise<void>) | null): void {
  settling = way;
}

/** Lets everything happen that is under way. */
export async function settle(): Promise<void> {
  if (settling !== null) return settling();
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Role work that only waits for its end. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

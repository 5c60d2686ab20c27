import { inLane } from '../../../../core/lane.js';
import type { OwnershipEvents, RunDriver } from '../../../../ports/run-driver.js';
import type { ManualClock } from '../../../manual-clock.js';
import type { RecordingLogger } from '../../../recording-logger.js';

/** Two processes on one store; how a test steers what the driver does by itself in production. */
export interface SecondProcess {
  /** Not started. */
  readonly driver: RunDriver;
  /** A planned hand-over of a lane of the first process to the second. */
  move(lane: number): Promise<void>;
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

/** Registers the tests of one behaviour. */
export type RunDriverContract = (harness: RunDriverHarness) => void;

/** What a driver told its engine, in order. `release` waits for `finishRelease`. */
export class RecordedEvents implements OwnershipEvents {
  readonly told: string[] = [];
  readonly acquiredLanes: number[] = [];
  private readonly releasing = Promise.withResolvers<void>();

  acquired(lanes: readonly number[], { clean }: { readonly clean: boolean }): void {
    this.acquiredLanes.push(...lanes);
    this.told.push(`acquired ${clean ? 'cleanly' : 'from the dead'}`);
  }

  release(lane: number): Promise<void> {
    this.told.push(`release ${lane}`);
    return this.releasing.promise;
  }

  lost(lanes: readonly number[]): void {
    this.told.push(`lost ${lanes.join(' ')}`);
  }

  nudged(runId: string): void {
    this.told.push(`nudged ${runId}`);
  }

  finishRelease(): void {
    this.releasing.resolve();
  }
}

/** A run of that lane. */
export function runIn(lane: number, driver: RunDriver): string {
  return inLane('01980000-0000-7000-8000-0000000000ff', lane, driver.laneCount);
}

export function everyLane(driver: RunDriver): readonly number[] {
  return Array.from({ length: driver.laneCount }, (_, lane) => lane);
}

/** Lets everything happen that is under way. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Role work that only waits for its end. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

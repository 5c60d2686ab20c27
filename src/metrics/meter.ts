import type { AppendOutcome, AttemptOutcome, Telemetry } from '../engine/index.js';
import { LoopDelay } from './loop-delay.js';
import { OriginTallies } from './origin-tallies.js';
import { Tally } from './tally.js';

const WRITE_BOUNDS_S = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const RUN_BOUNDS_S = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3_600, 21_600, 86_400, 604_800];

type EndStatus = Parameters<Telemetry['runEnded']>[0];

/**
 * Counts what one engine does since it began. Each event costs a few additions, and memory does not grow with the
 * number of events, except for up to `MAX_ORIGINS` origins.
 */
export class Meter implements Telemetry {
  started = 0;
  readonly ended: Record<EndStatus, number> = { completed: 0, failed: 0, cancelled: 0 };
  /** In seconds. */
  readonly runDurations = new Tally(RUN_BOUNDS_S);
  readonly calls = new OriginTallies();
  readonly appends: Record<AppendOutcome, number> = { appended: 0, conflict: 0, stale: 0, failed: 0 };
  /** In seconds. */
  readonly appendDurations = new Tally(WRITE_BOUNDS_S);
  /** The durations in seconds of commits that are durable. */
  readonly commitDurations = new Tally(WRITE_BOUNDS_S);
  committedOperations = 0;
  failedCommits = 0;
  readonly loopDelay = new LoopDelay();

  runStarted(): void {
    this.started += 1;
  }

  runEnded(status: EndStatus, lastedMs: number): void {
    this.ended[status] += 1;
    this.runDurations.observe(lastedMs / 1_000);
  }

  attempted(origin: string, outcome: AttemptOutcome, tookMs: number): void {
    const tally = this.calls.of(origin);
    tally.outcomes[outcome] += 1;
    tally.durations.observe(tookMs / 1_000);
  }

  appended(outcome: AppendOutcome, tookMs: number): void {
    this.appends[outcome] += 1;
    this.appendDurations.observe(tookMs / 1_000);
  }

  committed(operations: number, tookMs: number, isDurable: boolean): void {
    if (!isDurable) {
      this.failedCommits += 1;
      return;
    }
    this.committedOperations += operations;
    this.commitDurations.observe(tookMs / 1_000);
  }
}

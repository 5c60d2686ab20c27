import type { UnitOutcome } from '../../../ports/unit-executor.js';
import { FailuresInARow } from './failures-in-a-row.js';

/** How one unit counts the failures of its endpoint. */
export interface BreakerPolicy {
  readonly failureThreshold: number;
  readonly resetMs: number;
  /** How long one of its calls may take. */
  readonly timeoutMs: number;
}

/** Failures of an endpoint that is not called are remembered this long, or for `resetMs` where that is longer. */
const REMEMBERED_MS = 3_600_000;

/** Added to the time-out of a unit that waits for another's probe: a probe of its own would have ended by then. */
const SLACK_MS = 1_000;

/**
 * The circuit breaker of an endpoint: its failures in a row. Each unit applies its own policy to them: below its threshold
 * the breaker is closed for the unit; from there on it is open until `resetMs` have passed since the last failure, and then
 * lets through one probe at a time, which tries whether the endpoint is back.
 *
 * 1. A failure is an outcome after which a retry would follow, a time-out included; any other outcome shows that the
 *    endpoint works, and ends the row. An attempt that was aborted says nothing.
 * 2. A time-out counts for units whose own is as long or shorter: with a longer one the response might have come in time.
 * 3. While the breaker is open for a unit, only its probe's outcome counts: its other calls began before it opened.
 * 4. There is one probe at a time, for all units; it ends with its outcome, or when it is aborted. A unit does not wait for
 *    a probe longer than its own calls may take.
 */
export class Breaker {
  private readonly failures = new FailuresInARow();
  private probe: { readonly call: object; readonly begunAt: number } | null = null;
  private rememberedMs = REMEMBERED_MS;

  /** All failures, whichever time-outs they count for. */
  get failuresInARow(): number {
    return this.failures.seenWith(0).count;
  }

  /** Whether the breaker is open for the unit, for a time or until the probe is over. */
  isOpenFor({ failureThreshold, timeoutMs }: BreakerPolicy): boolean {
    return this.failures.seenWith(timeoutMs).count >= failureThreshold;
  }

  permits(policy: BreakerPolicy, now: number): boolean {
    return !this.isOpenFor(policy) || now >= this.permitsAt(policy);
  }

  /** When it may be called again at the latest (epoch ms); earlier if the probe succeeds. */
  permitsAt({ resetMs, timeoutMs }: BreakerPolicy): number {
    const after = this.failures.seenWith(timeoutMs).lastAt + resetMs;
    return this.probe === null ? after : Math.max(after, this.probe.begunAt + timeoutMs + SLACK_MS);
  }

  /** A permitted call begins. */
  begin(call: object, policy: BreakerPolicy, now: number): void {
    if (this.isOpenFor(policy)) this.probe = { call, begunAt: now };
  }

  /** `outcome` null: the call was aborted. */
  end(call: object, policy: BreakerPolicy, outcome: UnitOutcome | null, now: number): void {
    const wasProbe = this.probe?.call === call;
    if (wasProbe) this.probe = null;
    if (outcome === null || (!wasProbe && this.isOpenFor(policy))) return;
    if (outcome.kind === 'failed' && outcome.retryable) {
      this.failures.add(outcome.timedOutMs ?? Infinity, now);
      this.rememberedMs = Math.max(this.rememberedMs, policy.resetMs);
    } else this.failures.clear();
  }

  /** Whether its failures may be forgotten, if the endpoint is not called. */
  isForgotten(now: number): boolean {
    const { count, lastAt } = this.failures.seenWith(0);
    return count === 0 || now >= lastAt + this.rememberedMs;
  }
}

import type { UnitAnswer } from '../../../ports/unit-executor.js';
import { FailuresInARow } from './failures-in-a-row.js';

/** By what one unit reads the failures of its endpoint. */
export interface BreakerPolicy {
  readonly failureThreshold: number;
  readonly resetMs: number;
  /** How long one of its calls may take. */
  readonly timeoutMs: number;
}

/** Failures of an endpoint that nobody calls are remembered for so long, in ms, or for `resetMs` where that is longer. */
const REMEMBERED_MS = 3_600_000;

/** Beyond the time-out of who waits for the probe of another: its own would have ended by then. */
const SLACK_MS = 1_000;

/**
 * How an endpoint fares: its failures in a row. Each unit reads them by its own measure: below its threshold the endpoint
 * is as any other; from it on the unit does not call until its `resetMs` have passed since the last failure, and then one
 * call at a time tries whether the endpoint is back.
 *
 * 1. A failure is an answer after which a retry would follow, a time-out included; any other answer is a sign of life,
 *    and ends the row. An attempt that was aborted says nothing.
 * 2. A time-out counts for units whose own is as long or shorter: with a longer one the answer might have come in time.
 * 3. While a unit does not call, only the answer of the probe counts of its calls: what was in flight before tells of
 *    a time that is past.
 * 4. There is one probe at a time, whosever it is; it is over with its answer, or when it is aborted. One that takes longer
 *    than another's calls may take does not keep that one waiting.
 */
export class Breaker {
  private readonly failures = new FailuresInARow();
  private probe: { readonly call: object; readonly begunAt: number } | null = null;
  private rememberedMs = REMEMBERED_MS;

  /** Whoever would have seen them. */
  get failuresInARow(): number {
    return this.failures.seenWith(0).count;
  }

  /** Whether the unit is to spare the endpoint, for a time or until the probe is over. */
  isOpenFor({ failureThreshold, timeoutMs }: BreakerPolicy): boolean {
    return this.failures.seenWith(timeoutMs).count >= failureThreshold;
  }

  permits(policy: BreakerPolicy, now: number): boolean {
    return !this.isOpenFor(policy) || now >= this.permitsAt(policy);
  }

  /** From when on it is called again (epoch ms), should it not be before, as the probe is answered. */
  permitsAt({ resetMs, timeoutMs }: BreakerPolicy): number {
    const after = this.failures.seenWith(timeoutMs).lastAt + resetMs;
    return this.probe === null ? after : Math.max(after, this.probe.begunAt + timeoutMs + SLACK_MS);
  }

  /** A call that it permitted begins. */
  begin(call: object, policy: BreakerPolicy, now: number): void {
    if (this.isOpenFor(policy)) this.probe = { call, begunAt: now };
  }

  /** Null: it was aborted. */
  end(call: object, policy: BreakerPolicy, answer: UnitAnswer | null, now: number): void {
    const wasProbe = this.probe?.call === call;
    if (wasProbe) this.probe = null;
    if (answer === null || (!wasProbe && this.isOpenFor(policy))) return;
    if (answer.kind === 'failed' && answer.retryable) {
      this.failures.add(answer.timedOutMs ?? Infinity, now);
      this.rememberedMs = Math.max(this.rememberedMs, policy.resetMs);
    } else this.failures.clear();
  }

  /** Whether it may be forgotten how the endpoint fares, where nobody calls it. */
  isForgotten(now: number): boolean {
    const { count, lastAt } = this.failures.seenWith(0);
    return count === 0 || now >= lastAt + this.rememberedMs;
  }
}

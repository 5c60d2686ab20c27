import type { UnitAnswer } from '../../../ports/unit-executor.js';

export interface BreakerPolicy {
  readonly failureThreshold: number;
  readonly resetMs: number;
}

/** Failures of an endpoint that nobody calls are remembered for so long, in ms, or for `resetMs` where that is longer. */
const REMEMBERED_MS = 3_600_000;

/**
 * How an endpoint fares: its failures in a row. Each unit reads them by its own threshold: below it the endpoint is as
 * any other; from it on the unit does not call until its `resetMs` have passed since the last failure, and then one call
 * at a time tries whether the endpoint is back.
 *
 * 1. A failure is an answer after which a retry would follow, a time-out included; any other answer is a sign of life,
 *    and ends the row. An attempt that was aborted says nothing.
 * 2. While a unit does not call, only the answer of the probe counts of its calls: what was in flight before tells of
 *    a time that is past.
 * 3. There is one probe at a time, whosever it is; it is over with its answer, or when it is aborted.
 */
export class Breaker {
  private failures = 0;
  /** Epoch ms. */
  private failedAt = 0;
  private probe: object | null = null;
  private rememberedMs = REMEMBERED_MS;

  get failuresInARow(): number {
    return this.failures;
  }

  /** Whether the unit is to spare the endpoint, for a time or until the probe is over. */
  isOpenFor({ failureThreshold }: BreakerPolicy): boolean {
    return this.failures >= failureThreshold;
  }

  permits(policy: BreakerPolicy, now: number): boolean {
    return !this.isOpenFor(policy) || now >= this.permitsAt(policy);
  }

  /** From when on it is called again (epoch ms); Infinity: somebody tries it just now. */
  permitsAt({ resetMs }: BreakerPolicy): number {
    return this.probe === null ? this.failedAt + resetMs : Infinity;
  }

  /** A call that it permitted begins. */
  begin(call: object, policy: BreakerPolicy): void {
    if (this.isOpenFor(policy)) this.probe = call;
  }

  /** Null: it was aborted. */
  end(call: object, policy: BreakerPolicy, answer: UnitAnswer | null, now: number): void {
    const wasProbe = this.probe === call;
    if (wasProbe) this.probe = null;
    if (answer === null || (!wasProbe && this.isOpenFor(policy))) return;
    if (answer.kind === 'failed' && answer.retryable) {
      this.failures += 1;
      this.failedAt = now;
      this.rememberedMs = Math.max(this.rememberedMs, policy.resetMs);
    } else this.failures = 0;
  }

  /** Whether it may be forgotten how the endpoint fares, where nobody calls it. */
  isForgotten(now: number): boolean {
    return this.failures === 0 || now >= this.failedAt + this.rememberedMs;
  }
}

import type { UnitOutcome } from '../../../ports/unit-executor.js';
import { Breaker, type BreakerPolicy } from './breaker.js';

const OK: UnitOutcome = { kind: 'finished', output: null, patch: null, usage: null, metadata: null };
const failed = (retryable: boolean): UnitOutcome => ({
  kind: 'failed',
  error: 'no',
  retryable,
  outcome: 'unknown',
  retryAfterMs: null,
});
const FAILED = failed(true);
const POLICY: BreakerPolicy = { failureThreshold: 3, resetMs: 1_000, timeoutMs: 5_000 };
/** The outcome of a call that timed out. */
const timedOut = (timedOutMs: number): UnitOutcome => ({ ...failed(true), timedOutMs }) as UnitOutcome;

/** A breaker after these outcomes at the instant 0, each of a call of its own. */
function after(...answers: readonly (UnitOutcome | null)[]): Breaker {
  const breaker = new Breaker();
  for (const outcome of answers) call(breaker, outcome);
  return breaker;
}

function call(breaker: Breaker, outcome: UnitOutcome | null, { at = 0, policy = POLICY } = {}): void {
  const it = {};
  breaker.begin(it, policy, at);
  breaker.end(it, policy, outcome, at);
}

describe('a circuit breaker', () => {
  it('opens after the configured number of failures in a row, for the configured time', () => {
    expect(after(FAILED, FAILED).permits(POLICY, 0)).toBe(true);
    const breaker = after(FAILED, FAILED, FAILED);
    expect([0, 999, 1_000].map((now) => breaker.permits(POLICY, now))).toEqual([false, false, true]);
  });

  it('starts over after any other outcome: a refusal shows that the endpoint works, too', () => {
    for (const outcome of [OK, failed(false)]) {
      expect(after(FAILED, FAILED, outcome, FAILED, FAILED).permits(POLICY, 0)).toBe(true);
    }
  });

  it('ignores an attempt that was aborted', () => {
    expect(after(FAILED, FAILED, null).failuresInARow).toBe(2);
  });

  it('lets one call at a time try whether the endpoint is back', () => {
    const breaker = after(FAILED, FAILED, FAILED);
    breaker.begin({}, POLICY, 1_000);
    expect([2_000, 6_999].map((now) => breaker.permits(POLICY, now))).toEqual([false, false]);
  });

  it('lets no unit wait for the probe of another for longer than its own calls may take', () => {
    const breaker = after(FAILED, FAILED, FAILED);
    const slow = { ...POLICY, timeoutMs: 86_400_000 };
    breaker.begin({}, slow, 1_000);
    expect([6_999, 7_000].map((now) => breaker.permits(POLICY, now))).toEqual([false, true]);
    expect(breaker.permits(slow, 7_000)).toBe(false);
  });

  it('closes when the probe succeeds', () => {
    const breaker = after(FAILED, FAILED, FAILED);
    call(breaker, OK, { at: 1_000 });
    expect([breaker.permits(POLICY, 1_000), breaker.failuresInARow]).toEqual([true, 0]);
  });

  it('opens again, for as long again, when the probe fails', () => {
    const breaker = after(FAILED, FAILED, FAILED);
    call(breaker, FAILED, { at: 1_500 });
    expect([2_499, 2_500].map((now) => breaker.permits(POLICY, now))).toEqual([false, true]);
  });

  it('is as it was when the probe is aborted', () => {
    const breaker = after(FAILED, FAILED, FAILED);
    call(breaker, null, { at: 1_500 });
    expect(breaker.permits(POLICY, 1_500)).toBe(true);
  });

  it('ignores, while it is open, the outcomes of calls that began before', () => {
    const breaker = new Breaker();
    const calls = Array.from({ length: 5 }, () => ({}));
    for (const each of calls) breaker.begin(each, POLICY, 0);
    for (const each of calls.slice(0, 3)) breaker.end(each, POLICY, FAILED, 0);
    breaker.end(calls[3]!, POLICY, FAILED, 900);
    expect(breaker.permitsAt(POLICY)).toBe(1_000);
    breaker.end(calls[4]!, POLICY, OK, 900);
    expect(breaker.permits(POLICY, 900)).toBe(false);
  });

  it('counts a time-out for units whose own is as long or shorter, and for no others', () => {
    const open = (timeoutMs: number, ...answers: readonly UnitOutcome[]) =>
      !after(...answers).permits({ ...POLICY, timeoutMs }, 0);
    const outs = [timedOut(1_000), timedOut(1_000), timedOut(1_000)];
    expect([1, 1_000, 1_001, 60_000].map((timeoutMs) => open(timeoutMs, ...outs))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(open(1_001, ...outs.slice(1), FAILED)).toBe(false);
    expect(open(1_001, timedOut(2_000), timedOut(1_001), FAILED)).toBe(true);
    expect(open(1_001, timedOut(2_000), timedOut(1_001), OK, FAILED)).toBe(false);
  });

  it('counts its time from the last failure that counts, not from those of others', () => {
    const breaker = after(FAILED, FAILED, FAILED);
    call(breaker, timedOut(1), { at: 900, policy: { failureThreshold: 1_000, resetMs: 1, timeoutMs: 1 } });
    expect(breaker.permitsAt(POLICY)).toBe(1_000);
  });

  it('remembers time-outs of any number of lengths in little memory, and counts none for units with a longer one', () => {
    const breaker = new Breaker();
    const policy = { failureThreshold: 1_000_000, resetMs: 1, timeoutMs: 1 };
    for (let ms = 1; ms <= 10_000; ms += 1) call(breaker, timedOut(ms), { policy });
    const seenBy = (timeoutMs: number): number =>
      [1, 10, 100, 10_000].findLast((failureThreshold) =>
        breaker.isOpenFor({ failureThreshold, resetMs: 1, timeoutMs }),
      ) ?? 0;
    expect(breaker.failuresInARow).toBe(10_000);
    expect([1, 9_991, 10_000, 10_001].map(seenBy)).toEqual([10_000, 10, 1, 0]);
    expect(JSON.stringify(breaker).length).toBeLessThan(10_000);
  });

  it('is applied by each unit with its own policy', () => {
    const breaker = after(FAILED, FAILED, FAILED);
    const patient = { failureThreshold: 4, resetMs: 10, timeoutMs: 5_000 };
    const hasty = { failureThreshold: 1, resetMs: 10, timeoutMs: 5_000 };
    expect([patient, hasty].map((policy) => breaker.permits(policy, 0))).toEqual([true, false]);
    expect(breaker.permits(hasty, 10)).toBe(true);
    call(breaker, OK, { at: 5, policy: patient });
    expect(breaker.permits(POLICY, 5)).toBe(true);
  });

  it('lets the next try at once where it is to be open for no time, one at a time', () => {
    const policy = { failureThreshold: 1, resetMs: 0, timeoutMs: 5_000 };
    const breaker = after(FAILED, FAILED, FAILED);
    expect(breaker.permits(policy, 0)).toBe(true);
    breaker.begin({}, policy, 0);
    expect(breaker.permits(policy, 0)).toBe(false);
  });

  it('remembers failures for an hour, and for as long as it is open', () => {
    expect([3_599_999, 3_600_000].map((now) => after(FAILED).isForgotten(now))).toEqual([false, true]);
    const breaker = new Breaker();
    call(breaker, FAILED, { policy: { failureThreshold: 1, resetMs: 7_200_000, timeoutMs: 5_000 } });
    expect([7_199_999, 7_200_000].map((now) => breaker.isForgotten(now))).toEqual([false, true]);
    expect(after(OK).isForgotten(0)).toBe(true);
  });
});

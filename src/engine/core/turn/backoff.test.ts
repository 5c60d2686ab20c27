import type { RetryPolicy } from '../plan/plan.js';
import { backoffMs } from './backoff.js';

const POLICY: RetryPolicy = { maxAttempts: 9, backoff: 'fixed', baseMs: 100, maxMs: 5_000, jitter: false };
const delays = (policy: Partial<RetryPolicy>, attempts: readonly number[] = [1, 2, 3, 4]) =>
  attempts.map((attempt) => backoffMs({ ...POLICY, ...policy }, 'run', 7, attempt));

describe('the time before the next attempt', () => {
  it('is always the same, or doubles with each attempt, up to its maximum', () => {
    expect(delays({})).toEqual([100, 100, 100, 100]);
    expect(delays({ backoff: 'exponential' })).toEqual([100, 200, 400, 800]);
    expect(delays({ backoff: 'exponential' }, [6, 7, 100, 5_000])).toEqual([3_200, 5_000, 5_000, 5_000]);
    expect(delays({ baseMs: 9_000 })).toEqual([5_000, 5_000, 5_000, 5_000]);
  });

  it('is up to half as long with jitter, in whole ms, and never longer', () => {
    const found = delays(
      { jitter: true, baseMs: 1_000 },
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    expect(found.every((ms) => Number.isInteger(ms) && ms >= 500 && ms <= 1_000)).toBe(true);
    expect(Math.min(...found)).toBeLessThan(600);
    expect(Math.max(...found)).toBeGreaterThan(900);
  });

  it('is the same for the same attempt, and another for another run, execution or attempt', () => {
    const jittered = { ...POLICY, jitter: true, baseMs: 5_000 };
    const found = [
      backoffMs(jittered, 'run', 7, 1),
      backoffMs(jittered, 'nur', 7, 1),
      backoffMs(jittered, 'run', 8, 1),
      backoffMs(jittered, 'run', 7, 2),
    ];
    expect(backoffMs(jittered, 'run', 7, 1)).toBe(found[0]);
    expect(new Set(found).size).toBe(4);
  });
});

import { ManualClock } from '../../../testing/manual-clock.js';
import { RecordingLogger } from '../../../testing/recording-logger.js';
import { Deadlines } from '../attempts/deadlines.js';
import { Endpoints } from './endpoints.js';
import { QueuedCallsOfRun } from './queued-calls-of-run.js';
import { ReplicaShare } from './replica-share.js';

const NOW = 1_750_000_000_000;
const MINUTE = 60_000;

/** A share, and how many processes there are. */
function shareAmong(count: number) {
  const replicas = { count };
  const share = new ReplicaShare(() => replicas.count);
  return { replicas, of: (afterMs: number, limit = 60) => share.of(limit, NOW + afterMs) };
}

describe('the part of a limit that one of several processes has', () => {
  it('is all of it for one that is alone, and never so much that all together have more than it', () => {
    expect(shareAmong(1).of(0, 7)).toBe(7);
    expect(shareAmong(3).of(0, 60)).toBe(20);
    expect(shareAmong(3).of(0, 11)).toBe(3);
  });

  it('is one call at the least', () => {
    expect(shareAmong(5).of(0, 2)).toBe(1);
  });

  it('is less as soon as there are more', () => {
    const { replicas, of } = shareAmong(2);
    expect(of(0)).toBe(30);
    replicas.count = 3;
    expect(of(1)).toBe(20);
  });

  it('is more only when there were fewer for a minute, counted from when that was seen', () => {
    const { replicas, of } = shareAmong(3);
    expect(of(0)).toBe(20);
    replicas.count = 1;
    expect(of(5 * MINUTE)).toBe(20);
    expect(of(6 * MINUTE - 1)).toBe(20);
    expect(of(6 * MINUTE)).toBe(60);
  });

  it('follows the largest of several counts of one minute', () => {
    const { replicas, of } = shareAmong(6);
    of(0);
    for (const [count, at] of [
      [2, 10_000],
      [3, 20_000],
      [2, 30_000],
    ] as const) {
      replicas.count = count;
      expect(of(at)).toBe(10);
    }
    // Six were seen until 10 s, three until 30 s.
    expect([of(69_999), of(70_000), of(89_999), of(90_000)]).toEqual([10, 20, 20, 30]);
  });
});

describe('an endpoint with a rate limit that replicas share', () => {
  it('is called by this one as often as its part says, and more often a minute after others have left', async () => {
    const clock = new ManualClock();
    const replicas = { count: 2 };
    const endpoints = new Endpoints(new Deadlines(clock), new RecordingLogger(), () => replicas.count);
    let called = 0;
    const policy = { circuitBreaker: null, rateLimit: { maxRequestsPerMinute: 4 } };
    const call = (): void => {
      const ask = (): void => {
        if (!calls.mayCall(1, () => ({ endpoint: 'https://units.example.org', policy }))) return;
        calls.begin(1);
        called += 1;
      };
      const calls = new QueuedCallsOfRun(endpoints, 'default', 'w', ask);
      ask();
    };
    for (let count = 0; count < 12; count += 1) call();
    expect(called).toBe(2);
    await clock.advance(MINUTE);
    expect(called).toBe(4);
    replicas.count = 1;
    await clock.advance(MINUTE);
    expect(called).toBe(6);
    await clock.advance(MINUTE);
    expect(called).toBe(10);
  });
});

import { ManualClock } from '../../../testing/manual-clock.js';
import { RecordingLogger } from '../../../testing/recording-logger.js';
import type { UnitOutcome } from '../../../ports/unit-executor.js';
import { Deadlines } from '../attempts/deadlines.js';
import { Endpoints } from './endpoints.js';
import { QueuedCallsOfRun } from './queued-calls-of-run.js';
import type { EndpointPolicy } from './queued-call.js';

const OK: UnitOutcome = { kind: 'finished', output: null, patch: null, usage: null, metadata: null };
const FAILED: UnitOutcome = {
  kind: 'failed',
  error: 'no',
  retryable: true,
  outcome: 'unknown',
  retryAfterMs: null,
};

const limit = (maxRequestsPerMinute: number): EndpointPolicy => ({
  circuitBreaker: null,
  rateLimit: { maxRequestsPerMinute },
});
const breaker = (failureThreshold: number, resetMs: number): EndpointPolicy => ({
  circuitBreaker: { failureThreshold, resetMs, timeoutMs: 60_000 },
  rateLimit: null,
});

/** A process with runs of one call each, by their names. */
class Process {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly endpoints = new Endpoints(new Deadlines(this.clock), this.logger);
  /** The runs that called, in order. */
  readonly called: string[] = [];
  readonly answers = new Map<string, (answer: UnitOutcome | null) => void>();
  readonly runs = new Map<string, QueuedCallsOfRun>();
  /** Runs that cannot call anything at the moment. */
  readonly hindered = new Set<string>();
  private readonly asks = new Map<string, () => void>();

  /** A unit of the run comes up; it is called as soon as it may be. */
  call(
    name: string,
    policy: EndpointPolicy,
    key = 'https://units.example.org/secret/path',
    workflow = 'w',
  ): void {
    const ask = (): void => {
      if (this.hindered.has(name) || !calls.mayCall(1, () => ({ endpoint: key, policy }))) return;
      calls.begin(1);
      this.called.push(name);
      this.answers.set(name, (answer) => calls.end(1, answer));
    };
    const calls = new QueuedCallsOfRun(this.endpoints, 'default', workflow, ask);
    this.runs.set(name, calls);
    this.asks.set(name, ask);
    ask();
  }

  callAll(names: string, policy: EndpointPolicy): void {
    for (const name of names) this.call(name, policy);
  }

  /** The run can call again. */
  free(name: string): void {
    this.hindered.delete(name);
    this.asks.get(name)?.();
  }

  answer(names: string, answer: UnitOutcome | null): void {
    for (const name of names) this.answers.get(name)?.(answer);
  }

  /** The calls since the last time this was read. */
  takeCalled(): string {
    return this.called.splice(0).join('');
  }
}

describe('an endpoint with a rate limit', () => {
  it('is called as often as allowed in any minute, in the order in which the calls came up', async () => {
    const process = new Process();
    process.callAll('abc', limit(3));
    await process.clock.advance(20_000);
    process.callAll('defgh', limit(3));
    expect(process.takeCalled()).toBe('abc');
    await process.clock.advance(39_999);
    expect(process.takeCalled()).toBe('');
    await process.clock.advance(1);
    expect(process.takeCalled()).toBe('def');
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('gh');
  });

  it('does not depend on how a call ended', async () => {
    const process = new Process();
    process.callAll('abc', limit(2));
    process.answer('ab', OK);
    expect(process.takeCalled()).toBe('ab');
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('c');
  });

  it('counts for each limit the calls of it and of lower ones, so that all are kept and none blocks another', async () => {
    const process = new Process();
    process.callAll('abc', limit(5));
    process.callAll('xyz', limit(2));
    process.callAll('defgh', limit(5));
    expect(process.takeCalled()).toBe('abcxy');
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('zdefg');
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('h');
  });

  it('is called by workflows in rounds, however many calls of one wait', async () => {
    const process = new Process();
    const of = (workflow: string, names: string): void => {
      for (const name of names) process.call(name, limit(2), undefined, workflow);
    };
    of('greedy', 'abcdefgh');
    of('modest', 'xy');
    expect(process.takeCalled()).toBe('ab');
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('cx');
    of('late', 'z');
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('dy');
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('ze');
    await process.clock.advance(120_000);
    expect(process.takeCalled()).toBe('fgh');
  });

  it('does not slow, nor count, units without a limit', () => {
    const process = new Process();
    process.callAll('cd', breaker(1, 1_000));
    process.callAll('ab', limit(1));
    process.callAll('e', breaker(1, 1_000));
    expect(process.takeCalled()).toBe('cdae');
  });

  it('is left by calls that are withdrawn, and those after them move up', async () => {
    const process = new Process();
    process.callAll('ab', limit(1));
    process.call('c', limit(2));
    process.runs.get('b')!.withdrawAll();
    expect(process.takeCalled()).toBe('ac');
    expect(process.runs.get('b')!.waiting).toBe(0);
  });

  it('skips calls that cannot be made, and puts them at their old position when they can', async () => {
    const process = new Process();
    process.callAll('abcde', limit(1));
    process.hindered.add('b');
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('ac');
    process.free('b');
    expect([process.takeCalled(), process.runs.get('b')!.waiting]).toEqual(['', 1]);
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('b');
    await process.clock.advance(120_000);
    expect(process.takeCalled()).toBe('de');
  });

  it('has no timer while nothing waits, and one, however many calls do', async () => {
    const process = new Process();
    process.call('a', limit(1));
    expect(process.clock.scheduled).toBe(0);
    process.callAll('bcdefg', limit(1));
    expect(process.clock.scheduled).toBe(1);
    for (const calls of process.runs.values()) calls.withdrawAll();
    await process.clock.advance(60_000);
    expect(process.clock.scheduled).toBe(0);
  });

  it('leaves the event loop to others between hundreds of calls', async () => {
    const process = new Process();
    process.call('first', breaker(1, 1_000));
    process.answers.get('first')!(FAILED);
    const late = Array.from({ length: 250 }, (_, run) => `late ${run}`);
    for (const run of late) process.call(run, breaker(1, 1_000));
    await process.clock.advance(1_000);
    expect(process.called.splice(0)).toEqual(['first', 'late 0']);
    process.answers.get('late 0')!(OK);
    const lengths = [process.called.length];
    await process.clock.advance(0);
    lengths.push(process.called.length);
    expect(lengths).toEqual([100, 249]);
    expect(process.called).toEqual(late.slice(1));
  });
});

describe('an endpoint with a circuit breaker', () => {
  it('is not called once it keeps failing, then tried by one, then called by all that waited, in order', async () => {
    const process = new Process();
    process.callAll('ab', breaker(2, 1_000));
    process.answer('ab', FAILED);
    process.callAll('cde', breaker(2, 1_000));
    expect(process.takeCalled()).toBe('ab');
    await process.clock.advance(999);
    expect(process.takeCalled()).toBe('');
    await process.clock.advance(60_000);
    expect(process.takeCalled()).toBe('c');
    process.answer('c', OK);
    expect(process.takeCalled()).toBe('de');
  });

  it('is not called for as long again when the probe fails', async () => {
    const process = new Process();
    process.callAll('a', breaker(1, 1_000));
    process.answer('a', FAILED);
    process.callAll('bc', breaker(1, 1_000));
    await process.clock.advance(1_500);
    expect(process.takeCalled()).toBe('ab');
    process.answer('b', FAILED);
    await process.clock.advance(999);
    expect(process.takeCalled()).toBe('');
    await process.clock.advance(1);
    expect(process.takeCalled()).toBe('c');
  });

  it('is tried by the next when the probe is aborted', async () => {
    const process = new Process();
    process.callAll('a', breaker(1, 1_000));
    process.answer('a', FAILED);
    process.callAll('bcd', breaker(1, 1_000));
    await process.clock.advance(1_000);
    expect(process.takeCalled()).toBe('ab');
    process.answer('b', null);
    expect(process.takeCalled()).toBe('c');
  });

  it('is tried by the next when the first in the queue cannot be called', async () => {
    const process = new Process();
    process.callAll('a', breaker(1, 1_000));
    process.answer('a', FAILED);
    process.callAll('bc', breaker(1, 1_000));
    process.hindered.add('b');
    await process.clock.advance(1_000);
    expect(process.takeCalled()).toBe('ac');
    process.free('b');
    expect(process.takeCalled()).toBe('');
    process.answer('c', OK);
    expect(process.takeCalled()).toBe('b');
  });

  it('is closed to the stricter policy and called by the others', async () => {
    const process = new Process();
    process.callAll('ab', breaker(3, 1_000));
    process.answer('a', FAILED);
    process.call('c', breaker(1, 1_000));
    process.call('d', breaker(3, 1_000));
    expect(process.takeCalled()).toBe('abd');
    process.answer('d', OK);
    expect(process.takeCalled()).toBe('c');
  });

  it('is not called however many calls the limit would allow, and limited when it is back', async () => {
    const process = new Process();
    const both = { ...limit(2), ...breaker(1, 90_000), rateLimit: { maxRequestsPerMinute: 2 } };
    process.call('a', both);
    process.answer('a', FAILED);
    process.callAll('bcde', both);
    await process.clock.advance(89_990);
    expect(process.takeCalled()).toBe('a');
    await process.clock.advance(10);
    expect(process.takeCalled()).toBe('b');
    process.answer('b', OK);
    expect(process.takeCalled()).toBe('c');
    await process.clock.advance(59_990);
    expect(process.takeCalled()).toBe('');
    await process.clock.advance(10);
    expect(process.takeCalled()).toBe('de');
  });

  it('does not wake up again and again while the probe is under way', async () => {
    const process = new Process();
    process.call('a', breaker(1, 1_000));
    process.answer('a', FAILED);
    process.callAll('bc', breaker(1, 1_000));
    await process.clock.advance(1_000);
    expect(process.takeCalled()).toBe('ab');
    // One wake-up, for when the probe has taken longer than a call of theirs may.
    await process.clock.advance(60_999);
    expect([process.clock.scheduled, process.takeCalled()]).toEqual([1, '']);
    await process.clock.advance(1);
    expect(process.takeCalled()).toBe('c');
  });

  it('is logged once when it fails and once when it is back, without the path of the address', async () => {
    const process = new Process();
    process.callAll('a', breaker(1, 1_000));
    process.answer('a', FAILED);
    process.callAll('bc', breaker(1, 1_000));
    await process.clock.advance(1_000);
    process.answer('b', FAILED);
    await process.clock.advance(1_000);
    process.answer('c', OK);
    const said = process.logger.said.map(({ level, fields }) => [level, fields['endpoint']]);
    expect(said).toEqual([
      ['warn', 'units.example.org'],
      ['info', 'units.example.org'],
    ]);
    expect(JSON.stringify(process.logger.said)).not.toContain('secret');
  });
});

describe('the endpoints of a process', () => {
  it('have nothing to do with one another', () => {
    const process = new Process();
    process.call('a', limit(1), 'https://one.example.org/');
    process.call('b', limit(1), 'https://two.example.org/');
    expect(process.takeCalled()).toBe('ab');
  });

  it('are forgotten a minute after their last call, and an hour after their last failure', async () => {
    const process = new Process();
    process.call('a', limit(1), 'one');
    process.call('b', breaker(5, 1_000), 'two');
    process.answer('a', OK);
    process.answer('b', FAILED);
    await process.clock.advance(60_000);
    process.call('c', limit(1), 'three');
    process.answer('c', OK);
    expect(process.endpoints.size).toBe(2);
    await process.clock.advance(3_600_000);
    process.call('d', limit(1), 'four');
    expect(process.endpoints.size).toBe(1);
  });

  it('are not forgotten while a call waits, or is under way', async () => {
    const process = new Process();
    process.call('a', breaker(1, 1_000), 'one');
    process.call('b', breaker(1, 1_000), 'two');
    process.answer('b', FAILED);
    process.call('c', breaker(1, 100_000_000), 'two');
    await process.clock.advance(7_200_000);
    process.call('d', limit(1), 'three');
    expect(process.endpoints.size).toBe(3);
  });

  it('do not remember the failures of more than ten thousand that are not called', async () => {
    const process = new Process();
    for (let key = 0; key < 10_500; key += 1) {
      process.call('a', breaker(5, 1_000), `${key}`);
      process.answer('a', FAILED);
    }
    expect(process.endpoints.size).toBe(10_500);
    await process.clock.advance(60_000);
    process.call('b', limit(1), 'another');
    expect(process.endpoints.size).toBe(10_001);
  });
});

import { jest } from '@jest/globals';
import { UNIT_REQUEST } from '../../../../../test/support/remote-unit.js';
import type { ExecuteOptions, UnitOutcome } from '../../../ports/unit-executor.js';
import type { Execution } from '../../../core/waits/execution.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { Deadlines } from './deadlines.js';
import { AttemptInFlight } from './attempt-in-flight.js';

const DONE: UnitOutcome = { kind: 'finished', output: 1, patch: null, usage: null, metadata: null };

/** An attempt in flight whose unit completes when the test says so. */
function startedAttempt() {
  const clock = new ManualClock();
  const { promise, resolve } = Promise.withResolvers<UnitOutcome>();
  const answers: UnitOutcome[] = [];
  const execution = { id: 5, key: 5, attempt: 1 } as Partial<Execution> as Execution;
  const started = new AttemptInFlight('run-1', execution, 50, {
    onOutcome: (_of, answer) => void answers.push(answer),
  });
  let options: ExecuteOptions = started;
  const executor = { execute: (_request: unknown, given: ExecuteOptions) => ((options = given), promise) };
  started.start(executor, UNIT_REQUEST, new Deadlines(clock));
  return { clock, answers, flight: started, options, answer: () => (resolve(DONE), promise) };
}

describe('the end of an attempt before its outcome', () => {
  test.each(['its time-out', 'an abort'])(
    'by %s notifies every listener, once, and the signal',
    async (by) => {
      const { clock, flight: started, options } = startedAttempt();
      const told: string[] = [];
      for (const name of ['a', 'b', 'c']) options.onAbort!(() => void told.push(name));
      const { signal } = options;
      if (by === 'an abort') started.abort();
      else await clock.advance(50);
      started.abort();
      expect([told, signal.aborted]).toEqual([['a', 'b', 'c'], true]);
    },
  );

  test('notifies at once a listener that is added afterwards', () => {
    const { flight: started, options } = startedAttempt();
    started.abort();
    const listener = jest.fn();
    options.onAbort!(listener);
    expect([listener.mock.calls.length, options.signal.aborted]).toEqual([1, true]);
  });

  test('notifies no listener when the outcome came first', async () => {
    const { answer, answers, flight: started, options } = startedAttempt();
    const listener = jest.fn();
    options.onAbort!(listener);
    await answer();
    started.abort();
    expect([answers, listener.mock.calls.length]).toEqual([[DONE], 0]);
  });

  test('creates no AbortController where the signal is not read', async () => {
    const made = jest.spyOn(globalThis, 'AbortController');
    const { answer, flight: started, options } = startedAttempt();
    options.onAbort!(() => undefined);
    await answer();
    started.abort();
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});

describe('a heartbeat', () => {
  function beating(longestMs: number) {
    const clock = new ManualClock();
    const answers: UnitOutcome[] = [];
    const execution = { id: 5, key: 5, attempt: 1 } as Partial<Execution> as Execution;
    const onOutcome = (_of: AttemptInFlight, answer: UnitOutcome) => void answers.push(answer);
    const started = new AttemptInFlight('run-1', execution, 50, { onOutcome }, longestMs);
    started.deadlineAt = clock.wallTime() + 50;
    const executor = { execute: () => new Promise<UnitOutcome>(() => undefined) };
    started.start(executor, UNIT_REQUEST, new Deadlines(clock));
    return { clock, started, answers, begunAt: clock.now() };
  }

  test('restarts the time-out, and returns until when', async () => {
    const { clock, started, answers, begunAt } = beating(10_000);
    await clock.advance(40);
    expect(started.heartbeat()).toBe(begunAt + 90);
    await clock.advance(49);
    expect(answers).toEqual([]);
    await clock.advance(1);
    expect(answers).toMatchObject([{ error: 'timed out 50 ms after its last heartbeat', retryable: true }]);
    expect([started.heartbeat(), clock.scheduled]).toEqual([null, 0]);
  });

  test('extends it no further than the longest that an attempt may take', async () => {
    const { clock, started, answers, begunAt } = beating(100);
    for (let beat = 0; beat < 4; beat += 1) {
      await clock.advance(24);
      started.heartbeat();
    }
    expect([started.deadlineAt, answers]).toEqual([begunAt + 100, []]);
    await clock.advance(4);
    expect(answers).toMatchObject([{ error: 'timed out after 100 ms, beyond which no heartbeat helps' }]);
  });

  test('of a unit that has not yielded to the event loop changes nothing', () => {
    const clock = new ManualClock();
    const execution = { id: 5, key: 5, attempt: 1 } as Partial<Execution> as Execution;
    const started = new AttemptInFlight('run-1', execution, 50, { onOutcome: () => undefined }, 1_000);
    started.deadlineAt = 7;
    let beat: number | null | undefined;
    const executor = {
      execute: (_request: unknown, given: ExecuteOptions) => ((beat = given.heartbeat?.()), DONE),
    };
    started.start(executor, UNIT_REQUEST, new Deadlines(clock));
    expect([beat, clock.scheduled]).toEqual([7, 0]);
  });
});

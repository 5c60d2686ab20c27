import { jest } from '@jest/globals';
import { UNIT_REQUEST } from '../../../../test/support/remote-unit.js';
import type { ExecuteOptions, UnitAnswer } from '../../ports/unit-executor.js';
import type { Execution } from '../../core/waits/execution.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { Deadlines } from './deadlines.js';
import { Flight } from './flight.js';

const DONE: UnitAnswer = { kind: 'finished', output: 1, patch: null, usage: null, metadata: null };

/** A flight whose unit answers when it is told to. */
function flight() {
  const clock = new ManualClock();
  const { promise, resolve } = Promise.withResolvers<UnitAnswer>();
  const answers: UnitAnswer[] = [];
  const execution = { id: 5, key: 5, attempt: 1 } as Partial<Execution> as Execution;
  const started = new Flight('run-1', execution, 50, {
    onAnswer: (_of, answer) => void answers.push(answer),
  });
  let options: ExecuteOptions = started;
  const executor = { execute: (_request: unknown, given: ExecuteOptions) => ((options = given), promise) };
  started.start(executor, UNIT_REQUEST, new Deadlines(clock));
  return { clock, answers, flight: started, options, answer: () => (resolve(DONE), promise) };
}

describe('the end of an attempt before its answer', () => {
  test.each(['its time-out', 'an abort'])(
    'by %s is told to every listener, once, and to the signal',
    async (by) => {
      const { clock, flight: started, options } = flight();
      const told: string[] = [];
      for (const name of ['a', 'b', 'c']) options.onAbort!(() => void told.push(name));
      const { signal } = options;
      if (by === 'an abort') started.abort();
      else await clock.advance(50);
      started.abort();
      expect([told, signal.aborted]).toEqual([['a', 'b', 'c'], true]);
    },
  );

  test('is told at once to who asks afterwards', () => {
    const { flight: started, options } = flight();
    started.abort();
    const listener = jest.fn();
    options.onAbort!(listener);
    expect([listener.mock.calls.length, options.signal.aborted]).toEqual([1, true]);
  });

  test('is told to nobody when the answer came first', async () => {
    const { answer, answers, flight: started, options } = flight();
    const listener = jest.fn();
    options.onAbort!(listener);
    await answer();
    started.abort();
    expect([answers, listener.mock.calls.length]).toEqual([[DONE], 0]);
  });

  test('makes no AbortController where nobody looks at the signal', async () => {
    const made = jest.spyOn(globalThis, 'AbortController');
    const { answer, flight: started, options } = flight();
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
    const answers: UnitAnswer[] = [];
    const execution = { id: 5, key: 5, attempt: 1 } as Partial<Execution> as Execution;
    const onAnswer = (_of: Flight, answer: UnitAnswer) => void answers.push(answer);
    const started = new Flight('run-1', execution, 50, { onAnswer }, longestMs);
    started.deadlineAt = clock.wallTime() + 50;
    const executor = { execute: () => new Promise<UnitAnswer>(() => undefined) };
    started.start(executor, UNIT_REQUEST, new Deadlines(clock));
    return { clock, started, answers, begunAt: clock.now() };
  }

  test('has the time-out begin anew, and says until when', async () => {
    const { clock, started, answers, begunAt } = beating(10_000);
    await clock.advance(40);
    expect(started.heartbeat()).toBe(begunAt + 90);
    await clock.advance(49);
    expect(answers).toEqual([]);
    await clock.advance(1);
    expect(answers).toMatchObject([{ error: 'timed out 50 ms after its last heartbeat', retryable: true }]);
    expect([started.heartbeat(), clock.scheduled]).toEqual([null, 0]);
  });

  test('puts it off no further than the longest that an attempt may take', async () => {
    const { clock, started, answers, begunAt } = beating(100);
    for (let beat = 0; beat < 4; beat += 1) {
      await clock.advance(24);
      started.heartbeat();
    }
    expect([started.deadlineAt, answers]).toEqual([begunAt + 100, []]);
    await clock.advance(4);
    expect(answers).toMatchObject([{ error: 'timed out after 100 ms, beyond which no heartbeat helps' }]);
  });

  test('of a unit that has not given the loop back changes nothing', () => {
    const clock = new ManualClock();
    const execution = { id: 5, key: 5, attempt: 1 } as Partial<Execution> as Execution;
    const started = new Flight('run-1', execution, 50, { onAnswer: () => undefined }, 1_000);
    started.deadlineAt = 7;
    let beat: number | null | undefined;
    const executor = {
      execute: (_request: unknown, given: ExecuteOptions) => ((beat = given.heartbeat?.()), DONE),
    };
    started.start(executor, UNIT_REQUEST, new Deadlines(clock));
    expect([beat, clock.scheduled]).toEqual([7, 0]);
  });
});

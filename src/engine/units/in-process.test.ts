import type { ExecuteOptions, UnitRequest } from '../ports/unit-executor.js';
import { NonRetryableError } from '../../errors/unit-errors.js';
import { RecordingLogger } from '../testing/recording-logger.js';
import { InProcessExecutor, type UnitHandler, type UnitOptions } from './in-process.js';
import type { UnitContext } from './unit-context.js';

const CALL = { workflowId: 'w', runId: 'r', unitId: 'u', attempt: 2, deadlineAt: 1_000, config: { a: 1 } };
const REQUEST = { input: { n: 1 }, state: { s: 1 }, context: CALL } as unknown as UnitRequest;
const OPTIONS = { idempotencyKey: 'run:1' } as ExecuteOptions;

const outcomeOf = (handler: UnitHandler, masked: readonly string[] = []) =>
  new InProcessExecutor({ handler }, new RecordingLogger(), masked).execute(REQUEST, OPTIONS);

const finished = (output: unknown) => ({
  kind: 'finished',
  output,
  patch: null,
  usage: null,
  metadata: null,
});

describe('a unit that is code of this process', () => {
  it('has its outcome at once where its handler returns at once', () => {
    expect(outcomeOf(() => ({ ok: true }))).toEqual(finished({ ok: true }));
    expect(outcomeOf(() => undefined)).toEqual(finished(null));
    expect(outcomeOf(() => ({ then: 'no function' }))).toEqual(finished({ then: 'no function' }));
  });

  it('has its outcome later where its handler returns a promise, of whatever kind', async () => {
    const thenable = { then: (resolve: (value: string) => void) => resolve('late') };
    for (const handler of [async () => 'late', () => thenable]) {
      const outcome = outcomeOf(handler);
      expect(outcome).toBeInstanceOf(Promise);
      expect(await outcome).toEqual(finished('late'));
    }
  });

  it('fails alike whether its handler throws or rejects, or its error cannot even be read', async () => {
    const fault = Object.assign(new Error('the secret 12345678'), { retryable: false });
    const failed = {
      kind: 'failed',
      error: 'the secret ***',
      retryable: false,
      outcome: 'refused',
      retryAfterMs: null,
    };
    const throwing = (): never => {
      throw fault;
    };
    expect(outcomeOf(throwing, ['12345678'])).toEqual(failed);
    expect(await outcomeOf(() => Promise.reject(fault), ['12345678'])).toEqual(failed);
    const odd = {
      get then(): never {
        throw fault;
      },
    };
    expect(outcomeOf(() => odd, ['12345678'])).toEqual(failed);
  });

  it('is not tried again after a NonRetryableError', () => {
    const failing = (): never => {
      throw new NonRetryableError('no such customer', { cause: new Error('404') });
    };
    expect(outcomeOf(failing)).toMatchObject({ kind: 'failed', error: 'no such customer', retryable: false });
  });

  it('hides secrets in what it returns, at once or later', async () => {
    for (const handler of [() => ['12345678'], async () => ['12345678']]) {
      expect(await outcomeOf(handler, ['12345678'])).toEqual(finished(['***']));
    }
  });
});

describe('what a unit that is code of this process knows of its call', () => {
  /** Gives a handler its context, and returns the context. */
  function contextIn(options: Partial<ExecuteOptions> = {}, logger = new RecordingLogger()): UnitContext {
    let seen: UnitContext | undefined;
    const handler: UnitHandler = (_request, context) => void (seen = context);
    void new InProcessExecutor({ handler }, logger, ['12345678']).execute(REQUEST, {
      ...OPTIONS,
      ...options,
    });
    return seen!;
  }

  it('is the call, its state, its key and its signal', () => {
    const { signal } = new AbortController();
    const { namespace, workflowId, runId, unitId, attempt, deadlineAt, config, ...more } = contextIn({
      signal,
    });
    expect(more).toEqual({});
    expect([namespace, workflowId, runId, unitId, attempt, deadlineAt, config]).toEqual([
      'default',
      'w',
      'r',
      'u',
      2,
      1_000,
      { a: 1 },
    ]);
    const context = contextIn({ signal });
    expect([context.state, context.idempotencyKey, context.signal]).toEqual([{ s: 1 }, 'run:1', signal]);
    expect(() => ((context as { runId: string }).runId = 'x')).toThrow(TypeError);
  });

  it('moves its deadline with a heartbeat, and says when the outcome is no longer awaited', () => {
    const deadlines = [2_000, null];
    const context = contextIn({ heartbeat: () => deadlines.shift() ?? null });
    expect([context.heartbeat(), context.deadlineAt]).toEqual([true, 2_000]);
    expect([context.heartbeat(), context.deadlineAt]).toEqual([false, 2_000]);
    expect(contextIn().heartbeat()).toBe(false);
  });

  it('has a log whose lines name the run and the unit, whatever their fields say', () => {
    const logger = new RecordingLogger();
    const context = contextIn({}, logger);
    context.logger.info('charged', { amount: 12, runId: 'of another', list: [1], gone: undefined });
    const callFields = { runId: 'r', workflowId: 'w', unitId: 'u', attempt: 2 };
    expect(logger.said).toEqual([
      {
        level: 'info',
        message: 'charged',
        fields: { amount: 12, list: '[1]', gone: 'undefined', ...callFields },
      },
    ]);
  });

  it('has a log that is bounded and throws nothing', () => {
    const logger = new RecordingLogger();
    const context = contextIn({}, logger);
    const odd = {
      get broken(): never {
        throw new Error('no');
      },
      long: 'x'.repeat(9_000),
      loop: {} as Record<string, unknown>,
    };
    odd.loop['self'] = odd.loop;
    context.logger.error('y'.repeat(9_000), odd);
    const [{ message, fields }] = logger.said as [(typeof logger.said)[0]];
    expect([message.length, String(fields['long']).length]).toEqual([500, 500]);
    expect([fields['broken'], fields['loop']]).toEqual(['unreadable', 'unreadable']);
    for (let line = 0; line < 2_000; line += 1) context.logger.debug('again');
    expect(logger.said).toHaveLength(1_001);
    expect(logger.at('warn')).toEqual([expect.stringContaining('the others are left out')]);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, n]));
    const other = new RecordingLogger();
    contextIn({}, other).logger.info('many', many);
    expect(Object.keys(other.said[0]!.fields)).toHaveLength(24);
  });
});

describe('the checks of a unit that is code of this process', () => {
  const outcomeWith = (options: UnitOptions, handler: UnitHandler = () => 'out') =>
    new InProcessExecutor({ handler, ...options }, new RecordingLogger(), ['12345678']).execute(
      REQUEST,
      OPTIONS,
    );

  it('keep a wrong input from the handler', () => {
    let calls = 0;
    const outcome = outcomeWith(
      { input: () => `input.n is wrong: 12345678 ${'x'.repeat(900)}` },
      () => (calls += 1),
    );
    expect(calls).toBe(0);
    expect(outcome).toMatchObject({ kind: 'failed', retryable: false, outcome: 'refused' });
    expect(outcome).toMatchObject({ error: expect.stringMatching(/^input\.n is wrong: \*\*\* x{400,}$/) });
  });

  it('keep a wrong output out of the state, of an envelope its content', async () => {
    const output = (value: unknown) => (value === 'out' ? 'output must be a number' : null);
    const failed = { kind: 'failed', error: 'output must be a number', retryable: false, outcome: 'unknown' };
    expect(outcomeWith({ output })).toMatchObject(failed);
    expect(await outcomeWith({ output }, async () => ({ content: 'out' }))).toMatchObject(failed);
    expect(outcomeWith({ output }, () => ({ content: 1 }))).toMatchObject({ kind: 'finished', output: 1 });
  });
});

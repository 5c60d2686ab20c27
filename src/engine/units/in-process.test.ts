import type { ExecuteOptions, UnitRequest } from '../ports/unit-executor.js';
import { InProcessExecutor, type UnitHandler } from './in-process.js';

const REQUEST = { input: {}, state: {}, context: {} } as unknown as UnitRequest;
const OPTIONS = { idempotencyKey: 'run:1' } as ExecuteOptions;

const answerOf = (handler: UnitHandler, masked: readonly string[] = []) =>
  new InProcessExecutor(handler, masked).execute(REQUEST, OPTIONS);

const finished = (output: unknown) => ({
  kind: 'finished',
  output,
  patch: null,
  usage: null,
  metadata: null,
});

describe('a unit that is code of this process', () => {
  it('answers at once where its handler does', () => {
    expect(answerOf(() => ({ ok: true }))).toEqual(finished({ ok: true }));
    expect(answerOf(() => undefined)).toEqual(finished(null));
    expect(answerOf(() => ({ then: 'no function' }))).toEqual(finished({ then: 'no function' }));
  });

  it('answers later where its handler does, whatever kind of promise that has', async () => {
    const thenable = { then: (resolve: (value: string) => void) => resolve('late') };
    for (const handler of [async () => 'late', () => thenable]) {
      const answer = answerOf(handler);
      expect(answer).toBeInstanceOf(Promise);
      expect(await answer).toEqual(finished('late'));
    }
  });

  it('fails alike whether its handler throws or rejects, or cannot even be looked at', async () => {
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
    expect(answerOf(throwing, ['12345678'])).toEqual(failed);
    expect(await answerOf(() => Promise.reject(fault), ['12345678'])).toEqual(failed);
    const odd = {
      get then(): never {
        throw fault;
      },
    };
    expect(answerOf(() => odd, ['12345678'])).toEqual(failed);
  });

  it('hides secrets in what it answers, at once or later', async () => {
    for (const handler of [() => ['12345678'], async () => ['12345678']]) {
      expect(await answerOf(handler, ['12345678'])).toEqual(finished(['***']));
    }
  });
});

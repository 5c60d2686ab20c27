import { UNIT_REQUEST } from '../../../../test/support/remote-unit.js';
import type { Secrets } from '../../ports/secrets.js';
import type { UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';
import { SecretExecutor } from './secret-executor.js';

/** Calls a unit whose config and headers refer to the secret TOKEN. */
async function callWith(read: Secrets['read'], namespace: { readonly namespace?: string } = {}) {
  const calls: UnitRequest[] = [];
  const unit: UnitExecutor = {
    execute: async (request) => {
      calls.push(request);
      return { kind: 'finished', output: 'done', patch: null, usage: null, metadata: null };
    },
  };
  const executor = new SecretExecutor({ read }, { authorization: 'Bearer ${secret:TOKEN}' }, () => unit);
  const context = { ...UNIT_REQUEST.context, config: { account: 'acc-${secret:TOKEN}' }, ...namespace };
  const answer = await executor.execute(
    { ...UNIT_REQUEST, context },
    { signal: new AbortController().signal, idempotencyKey: 'run-1:5' },
  );
  return { answer, calls };
}

describe('a unit whose secret', () => {
  it('is there is called with it', async () => {
    const { answer, calls } = await callWith(async () => 'hunter2');
    expect(answer).toMatchObject({ kind: 'finished' });
    expect(calls[0]?.context.config).toEqual({ account: 'acc-hunter2' });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('vault at 10.0.0.7 refused the token abc'))],
    [
      'throws',
      () => {
        throw new Error('vault at 10.0.0.7 refused the token abc');
      },
    ],
  ])('cannot be read, because the adapter %s, has failed and is tried again', async (_name, read) => {
    const { answer, calls } = await callWith(read);
    expect(calls).toEqual([]);
    expect(answer).toEqual({
      kind: 'failed',
      error: 'the secret TOKEN could not be read: check where secrets come from',
      retryable: true,
      outcome: 'refused',
      retryAfterMs: null,
    });
  });

  it.each([null, undefined, 7])('is %p is not called, and not tried again', async (value) => {
    const { answer, calls } = await callWith(async () => value as never);
    expect(calls).toEqual([]);
    expect(answer).toMatchObject({
      error: 'the secret TOKEN is not set: set FLOWGATE_SECRET_TOKEN or mount it',
      retryable: false,
      outcome: 'refused',
    });
  });

  it.each([
    [{}, 'default'],
    [{ namespace: 'acme' }, 'acme'],
  ])('is asked for in the namespace of its run: %j', async (context, expected) => {
    const { calls } = await callWith(async ({ namespace }) => `of ${namespace}`, context);
    expect(calls[0]?.context.config).toEqual({ account: `acc-of ${expected}` });
  });

  it.each([
    ['acme-2', 'set FLOWGATE_SECRET_ACME_2__TOKEN or mount acme-2/TOKEN in the folder of secrets'],
    ['a--b', 'mount a--b/TOKEN in the folder of secrets'],
  ])('is not set in %s says where to set it', async (namespace, remedy) => {
    const { answer } = await callWith(async () => null, { namespace });
    expect(answer).toMatchObject({ error: `the secret TOKEN is not set: ${remedy}` });
  });
});

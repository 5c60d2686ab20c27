import type { JsonObject } from '../../core/json.js';
import type { UnitContext, UnitRequest } from '../../ports/unit-executor.js';
import { SecretExecutor } from './secret-executor.js';

const options = { signal: new AbortController().signal, idempotencyKey: 'run:1' };

function requestWith(config: JsonObject, context: Partial<UnitContext> = {}): UnitRequest {
  return {
    input: null,
    state: {},
    context: {
      workflowId: 'w',
      runId: 'r',
      unitId: 'u',
      executionId: 'r:1',
      attempt: 1,
      traceId: '0'.repeat(32),
      deadlineAt: 1,
      config,
      contextPolicy: {},
      ...context,
    },
  };
}

describe('a unit with secrets', () => {
  it.each([
    ['no namespace', {}, 'default'],
    ['a namespace', { namespace: 'acme' }, 'acme'],
  ])('gets those of its run’s namespace: %s', async (_what, context, expected) => {
    const secrets = { read: async (asked: { readonly namespace: string }) => `of ${asked.namespace}` };
    const seen: unknown[] = [];
    const executor = new SecretExecutor(secrets, {}, () => ({
      execute: async ({ context: { config } }) => {
        seen.push(config);
        return { kind: 'finished', output: null, patch: null, usage: null, metadata: null };
      },
    }));
    await executor.execute(requestWith({ key: '${secret:TOKEN}' }, context), options);
    expect(seen).toEqual([{ key: `of ${expected}` }]);
  });

  it.each([
    [{}, 'set FLOWGATE_SECRET_TOKEN or mount it'],
    [
      { namespace: 'acme-2' },
      'set FLOWGATE_SECRET_ACME_2__TOKEN or mount acme-2/TOKEN in the folder of secrets',
    ],
    [{ namespace: 'a--b' }, 'mount a--b/TOKEN in the folder of secrets'],
  ])('is told what to set when there is none: %j', async (context, remedy) => {
    const executor = new SecretExecutor({ read: async () => null }, {}, () => {
      throw new Error('called');
    });
    const answer = await executor.execute(requestWith({ key: '${secret:TOKEN}' }, context), options);
    expect(answer).toMatchObject({
      kind: 'failed',
      error: `the secret TOKEN is not set: ${remedy}`,
      retryable: false,
    });
  });

  it('fails, and may be tried again, when their source fails; nothing of the fault is shown', async () => {
    const secrets = {
      read: async () => {
        throw new Error('hunter2 is no vault');
      },
    };
    const executor = new SecretExecutor(secrets, {}, () => {
      throw new Error('called');
    });
    const answer = await executor.execute(requestWith({ key: '${secret:TOKEN}' }), options);
    expect(answer).toMatchObject({ kind: 'failed', retryable: true, outcome: 'refused' });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });
});

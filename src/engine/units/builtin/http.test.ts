import { UNIT_REQUEST } from '../../../../test/support/remote-unit.js';
import type { JsonObject } from '../../core/json.js';
import type { HttpBinding } from '../../ports/http-binding.js';
import { builtinHttp, type HttpDefaults } from './http.js';

/** Calls with each config sequentially; returns the bindings that executors were made for, and the results. */
async function callsWith(configs: readonly JsonObject[], defaults: HttpDefaults | null = null) {
  const made: HttpBinding[] = [];
  const executor = builtinHttp((binding) => {
    made.push(binding);
    return {
      execute: async ({ context }) => ({
        kind: 'finished',
        output: [binding.endpoint, binding.headers, context.config],
        patch: null,
        usage: null,
        metadata: null,
      }),
    };
  })([], defaults);
  const results = [];
  for (const config of configs) {
    const request = { ...UNIT_REQUEST, context: { ...UNIT_REQUEST.context, config } };
    const options = { signal: new AbortController().signal, idempotencyKey: 'run-1:5' };
    const outcome = await executor.execute(request, options);
    results.push(outcome.kind === 'finished' ? outcome.output : outcome.error);
  }
  return { made, results };
}

const A = 'http://a.example/';
const B = 'http://b.example/';

describe('builtin.http', () => {
  it('makes one executor for calls to the same endpoint with the same headers, whatever else they say', async () => {
    const { made, results } = await callsWith([
      { endpoint: A, headers: { k: '1' }, n: 1 },
      { endpoint: A, headers: { k: '1' }, n: 2 },
      { endpoint: A, headers: { k: '2' }, n: 3 },
      { endpoint: B, headers: { k: '2' }, n: 4 },
      { endpoint: B },
    ]);
    expect(made).toHaveLength(4);
    expect(results).toEqual([
      [A, { k: '1' }, { n: 1 }],
      [A, { k: '1' }, { n: 2 }],
      [A, { k: '2' }, { n: 3 }],
      [B, { k: '2' }, { n: 4 }],
      [B, {}, {}],
    ]);
  });

  it('says at each call what is wrong with its config', async () => {
    const { made, results } = await callsWith([{}, {}, { endpoint: 'nowhere' }, { endpoint: A, headers: 1 }]);
    expect(made).toHaveLength(0);
    expect(results).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^builtin\.http: /)));
  });

  it('goes to the endpoint of its binding where the config names none', async () => {
    const defaults = { endpoint: B, headers: { k: 'binding', l: 'binding' }, timeoutMs: 5 };
    const { made, results } = await callsWith(
      [{ headers: { K: 'own' } }, { headers: { K: 'own' } }],
      defaults,
    );
    expect(made).toMatchObject([{ timeoutMs: 5 }]);
    expect(results[1]).toEqual([B, { K: 'own', l: 'binding' }, {}]);
  });
});

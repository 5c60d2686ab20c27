import fc from 'fast-check';
import type { JsonObject } from '../../../src/engine/index.js';
import { conditions, templates } from './expression-arbitrary.js';
import { jsonObjects, jsonValues, keys } from './json-arbitrary.js';

/** The name that a binding of every case gives to the fuzz units' server. */
export const BOUND = 'fuzz.unit';

const values = fc.oneof({ weight: 3, arbitrary: templates }, { weight: 1, arbitrary: jsonValues });

const work: fc.Arbitrary<JsonObject> = fc.oneof(
  fc
    .record(
      {
        response: values,
        route: fc.constantFrom('r0', 'r1', 'r9', '${{ input.t }}'),
        delayMs: fc.nat(3),
        failTimes: fc.nat(3),
      },
      { requiredKeys: [] },
    )
    .map((config) => ({ uses: 'builtin.mock', config }) as JsonObject),
  fc
    .dictionary(fc.oneof({ weight: 4, arbitrary: fc.constantFrom('n', 'l', 's', 't') }, keys), values, {
      minKeys: 1,
      maxKeys: 3,
    })
    .map((written) => ({ uses: 'builtin.set', config: { values: written } }) as JsonObject),
  fc.constant<JsonObject>({ uses: 'builtin.mock' }),
  fc.constant<JsonObject>({ uses: BOUND }),
  fc
    .record(
      { title: templates, payload: jsonValues, onReject: fc.constantFrom('fail', 'continue') },
      { requiredKeys: [] },
    )
    .map((config) => ({ uses: 'builtin.approval', config }) as JsonObject),
  values.map((message) => ({ uses: 'builtin.fail', config: { message } }) as JsonObject),
);

/** What any unit may have besides; most have nothing. */
const extras: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<JsonObject>({}) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        if: conditions,
        with: fc.oneof(templates, jsonObjects, fc.dictionary(keys, values, { maxKeys: 3 })),
        pause: fc.constantFrom('before', 'after'),
        contextPolicy: fc.oneof(
          fc.constantFrom<JsonObject>(
            { state: 'none' },
            { state: ['n', 'output.u0'] },
            { memory: { record: false } },
          ),
          jsonObjects,
        ),
        policyOverrides: fc.constantFrom<JsonObject>(
          { retry: { maxAttempts: 2, baseMs: 0 } },
          { retry: { maxAttempts: 3, baseMs: 1, jitter: false } },
          { timeout: { unitMs: 1 } },
        ),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonObject>,
  },
);

/** Of some built-ins `with` are settings, which they check one after another. */
export const units: fc.Arbitrary<JsonObject> = fc
  .tuple(work, extras)
  .map(([one, { with: given, ...more }]) => {
    const takesWith = given !== undefined && (one['uses'] === 'builtin.mock' || one['uses'] === BOUND);
    return { ...one, ...more, ...(takesWith ? { with: given } : {}) };
  });

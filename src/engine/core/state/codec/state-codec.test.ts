import fc from 'fast-check';
import { evolve } from '../../evolve.js';
import { foldLog } from '../../fold-log.js';
import type { JsonObject, JsonValue } from '../../json.js';
import { approximateChars } from '../../json-size.js';
import type { NewEvent } from '../../log/event.js';
import { stampEvent } from '../../log/event-kinds.js';
import { anonymous } from '../../log/actor.js';
import { charsOfEncoded, decodeState, encodeState } from './state-codec.js';
import { PersistentMap } from '../collections/persistent-map.js';
import { INITIAL_STATE, type RunState } from '../state.js';
import { lawCases } from '../../../../../test/support/law-cases.js';

/** Keys that an encoding may use for itself. */
const hostileKey = fc.constantFrom(
  '$map',
  'scopes',
  'writes',
  'cursor',
  'waits',
  'kind',
  'input',
  'value',
  'items',
  'constructor',
  '',
  '0',
);

const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, true, 0, -1.5, '', '$map', '__proto__'),
    fc.string(),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(hostileKey, tie('json')), { maxLength: 3 }).map((entries) => ({ $map: entries })),
    fc.dictionary(fc.oneof(hostileKey, fc.string()), tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ) as fc.Arbitrary<JsonValue>,
}));
const object = fc.dictionary(fc.oneof(hostileKey, fc.string()), json, { noNullPrototype: true });

const by = anonymous('http', 'ann');
const unit = (path: string, scope = '') => ({ path, scope, unitId: path.slice(1) });

/** A run in which the values stand in every place that can hold one, and something of every kind is open. */
function runWith(input: JsonObject, value: JsonValue, values: JsonObject): RunState {
  const items = [value, value];
  const events: readonly NewEvent[] = [
    {
      type: 'run-started',
      runId: 'r',
      namespace: 'default',
      workflowId: 'w',
      definitionHash: 'h',
      input,
      labels: {},
      by,
      origin: { type: 'client' },
      parent: null,
      deadlineAt: 99,
    },
    { type: 'state-written', ...unit('/s'), values },
    { type: 'items-opened', kind: 'delegations', path: '/d', scope: '', items },
    { type: 'branch-chosen', path: '/d', scope: '', branch: 'x', source: null, task: value },
    { type: 'items-opened', kind: 'passes', path: '/f', scope: '', items },
    {
      type: 'unit-scheduled',
      ...unit('/a', '>/f#0'),
      input: value,
      settings: values,
      key: null,
      timeoutMs: 1,
    },
    {
      type: 'unit-finished',
      executionId: 6,
      unitId: 'a',
      attempt: 1,
      output: value,
      patch: values,
      usage: { tokens: 3, cost: 0.5 },
      metadata: values,
    },
    {
      type: 'unit-scheduled',
      ...unit('/b', '>/f#1'),
      input: value,
      settings: values,
      key: null,
      timeoutMs: 1,
    },
    {
      type: 'unit-attempt-failed',
      executionId: 8,
      unitId: 'b',
      attempt: 1,
      error: 'no',
      outcome: 'unknown',
      retryAt: 70,
    },
    { type: 'branch-chosen', path: '/c', scope: '>/f#2', branch: 'x', source: null, task: value },
    {
      type: 'gate-opened',
      ...unit('/g', '>/f#3'),
      title: '$map',
      description: null,
      payload: value,
      onReject: 'fail',
    },
    { type: 'timer-set', ...unit('/t', '>/f#4'), dueAt: 80 },
    { type: 'paused', ...unit('/p', '>/f#5'), reason: 'before', executionId: null },
    { type: 'paused', ...unit('/a', '>/f#0'), reason: 'after', executionId: null },
    { type: 'paused', ...unit('/b', '>/f#1'), reason: 'budget', executionId: 8 },
    {
      type: 'resumed',
      pauseId: 15,
      executionId: 8,
      budget: { maxTokens: 9, maxCost: null },
      by,
    },
  ];
  return events.reduce(
    (state, event, index) => evolve(state, stampEvent({ ...event }, index + 1, 50)),
    INITIAL_STATE,
  );
}

describe('the stored form of a state', () => {
  it('gives the same state back, and has the size that it is said to have, whatever the values of the run look like', () => {
    fc.assert(
      fc.property(object, json, object, (input, value, values) => {
        const state = runWith(input, value, values);
        const encoded = encodeState(state);
        expect(charsOfEncoded(state)).toBe(approximateChars(encoded));
        const decoded = decodeState(JSON.parse(JSON.stringify(encoded)));
        expect(encodeState(decoded)).toEqual(encoded);
        expect(unordered(decoded)).toEqual(unordered(state));
      }),
      { numRuns: lawCases(2_000) },
    );
  }, 60_000);

  it('is the same for equal states, in whatever order they came to be', () => {
    const writing = (keys: readonly string[]) =>
      keys.reduce(
        (state, key, index) =>
          evolve(
            state,
            stampEvent({ type: 'state-written', ...unit('/s'), values: { [key]: 0 } }, index + 1, 0),
          ),
        INITIAL_STATE,
      );
    const keys = Array.from({ length: 100 }, (_, i) => `key${i}`);
    const text = (state: RunState) => {
      const { scopes } = encodeState(state) as { readonly scopes: [[string, { writes: [[string]] }]] };
      return scopes[0][1].writes.map(([key]) => key);
    };
    expect(text(writing(keys))).toEqual(text(writing(keys.toReversed())));
  });

  it('is plain JSON, in which a value of the run is itself and no copy', () => {
    const value = { deep: [1, 2, 3] };
    const state = runWith({ value }, null, {});
    const { input } = encodeState(state) as { readonly input: { readonly value: object } };
    expect(input.value).toBe(value);
  });

  it('of a run without events is that of a run without events', () => {
    expect(decodeState(encodeState(INITIAL_STATE))).toEqual(INITIAL_STATE);
    expect(foldLog(INITIAL_STATE, [])).toBe(INITIAL_STATE);
  });
});

/** The state with maps whose equality asks for no order, and without the field that may be kept in another way. */
function unordered(state: RunState) {
  const { scopes, forks, waits, decisions, completed } = state;
  const largestUsage = withUnorderedMaps(state.largestUsage);
  const maps = { largestUsage, forks, waits, decisions, completed, scopes: scopes.map(withUnorderedMaps) };
  return { ...state, ...withUnorderedMaps(maps), due: null };
}

function withUnorderedMaps(of: object) {
  const unorder = (value: unknown) => (value instanceof PersistentMap ? new Map(value) : value);
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, unorder(value)]));
}

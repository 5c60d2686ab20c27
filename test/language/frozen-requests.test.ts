import type { JsonObject, JsonValue, UnitHandler } from '../../src/engine/index.js';
import { run } from './support/runs.js';

type Field = 'input' | 'config' | 'contextPolicy' | 'state';

/** A unit that changes what it was given, and returns what came of it. */
const meddler: UnitHandler = ({ input, state, context }) => {
  const given: Record<Field, JsonValue> = {
    input,
    state,
    config: context.config,
    contextPolicy: context.contextPolicy,
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, changed(value)]));
};

function changed(value: JsonValue): string {
  const inner = (value as JsonObject)['list'] as JsonValue[] | undefined;
  const attempts = [
    () => ((value as Record<string, JsonValue>)['added'] = true),
    ...(inner === undefined ? [] : [() => inner.push('added')]),
  ];
  return attempts
    .map((attempt) => {
      try {
        attempt();
        return 'changed';
      } catch (error) {
        return (error as Error).constructor.name;
      }
    })
    .join();
}

const unit = (id: string, more: object = {}) => ({
  id,
  uses: 'meddle',
  config: { list: [1] },
  contextPolicy: { list: [1] },
  with: { list: ['${{ input.n }}'], whole: '${{ state }}', of: '${{ input.list }}' },
  ...more,
});

const REFUSED = {
  input: 'TypeError,TypeError',
  config: 'TypeError,TypeError',
  contextPolicy: 'TypeError,TypeError',
  state: 'TypeError,TypeError',
};

describe('a unit that changes what it was given', () => {
  it('is stopped by a TypeError, and changes nothing for the units and runs after it', async () => {
    const { record, state, calls } = await run(
      { units: [unit('a'), unit('b')], flow: { type: 'sequential' } },
      { meddle: meddler },
      { n: 7, list: [1] },
    );
    expect(record.status).toBe('completed');
    expect(state).toMatchObject({ n: 7, list: [1], 'output.a': REFUSED, 'output.b': REFUSED });
    expect(calls.map(({ context }) => context.config)).toEqual([{ list: [1] }, { list: [1] }]);
    expect(calls.map(({ input }) => (input as JsonObject)['list'])).toEqual([[7], [7]]);
  });

  it('is stopped as well where its input is one whole expression, or what a foreach gave it', async () => {
    const { state } = await run(
      {
        units: [
          unit('a', { with: '${{ {"list": input.list} }}' }),
          unit('b', { with: { list: '${{ item.list }}' } }),
        ],
        flow: {
          type: 'sequential',
          order: ['a', { type: 'foreach', items: '[{"list": input.list}]', do: 'b' }],
        },
      },
      { meddle: meddler },
      { list: [1] },
    );
    expect(state).toMatchObject({ 'output.a': REFUSED, 'output.b': REFUSED });
  });

  it('cannot change the settings of a built-in that are evaluated', async () => {
    const { state } = await run({
      units: [
        { id: 'a', uses: 'builtin.set', config: { values: { one: '${{ [1] }}', two: [2] } } },
        { id: 'b', uses: 'builtin.mock', config: { response: { list: '${{ state.two }}' } } },
      ],
      flow: { type: 'sequential' },
    });
    expect(Object.isFrozen(state['one']) && Object.isFrozen(state['two'])).toBe(true);
    expect(Object.isFrozen((state['output.b'] as JsonObject)['list'])).toBe(true);
  });
});

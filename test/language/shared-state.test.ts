import type { UnitHandler } from '../../src/engine/index.js';
import { echoes, run } from './support/runs.js';

const seen: UnitHandler = ({ state }) => state;

describe('the shared state', () => {
  it('begins with the input, and gets each output under output.<unitId>', async () => {
    const { state } = await run({ units: echoes('a'), flow: 'a' }, {}, { x: 1, y: [2] });
    expect(Object.entries(state)).toEqual([
      ['x', 1],
      ['y', [2]],
      ['output.a', { from: 'a' }],
    ]);
  });

  it('takes the state that a unit returns next to its content', async () => {
    const { state } = await run(
      { units: [{ id: 'a', uses: 'work' }], flow: 'a' },
      { work: () => ({ content: 'done', state: { x: 2, z: 3 } }) },
      { x: 1 },
    );
    expect(state).toEqual({ x: 2, 'output.a': 'done', z: 3 });
  });

  it.each(['output.b', 'errors.b', 'hitl.approved'])(
    'refuses the reserved key %s from a unit',
    async (key) => {
      const { record } = await run(
        { units: [{ id: 'a', uses: 'work' }], flow: 'a' },
        { work: () => ({ content: 1, state: { [key]: 1 } }) },
      );
      expect(record.status).toBe('failed');
      expect(record.error).toContain(key);
    },
  );

  it('has keys like those that objects inherit, and no other object changes', async () => {
    const { state } = await run(
      { units: [{ id: 'a', uses: 'seen' }], flow: 'a' },
      { seen },
      { constructor: 1, toString: 2 },
    );
    expect(state['constructor']).toBe(1);
    expect(state['output.a']).toEqual({ constructor: 1, toString: 2 });
    expect(({} as Record<string, unknown>)['toString']).toBe(Object.prototype.toString);
  });
});

describe('contextPolicy.state', () => {
  const policies: readonly (readonly [string, object, object])[] = [
    ['nothing said: all of it', {}, { x: 1, y: 2, 'output.first': { from: 'first' } }],
    [
      'all: all of it',
      { contextPolicy: { state: 'all' } },
      { x: 1, y: 2, 'output.first': { from: 'first' } },
    ],
    ['none: nothing', { contextPolicy: { state: 'none' } }, {}],
    [
      'keys: those that are there',
      { contextPolicy: { state: ['y', 'output.first', 'missing'] } },
      { y: 2, 'output.first': { from: 'first' } },
    ],
    ['no key: nothing', { contextPolicy: { state: [] } }, {}],
  ];

  it.each(policies)('sends, with %s', async (_name, more, sent) => {
    const units = [...echoes('first'), { id: 'look', uses: 'seen', ...more }];
    const { state } = await run({ units, flow: { type: 'sequential' } }, { seen }, { x: 1, y: 2 });
    expect(state['output.look']).toEqual(sent);
  });

  it('does not bound what expressions read', async () => {
    const unit = {
      id: 'look',
      uses: 'echo',
      contextPolicy: { state: 'none' },
      with: { y: '${{ state.y }}' },
    };
    const { state } = await run({ units: [unit], flow: 'look' }, {}, { y: 2 });
    expect(state['output.look']).toEqual({ y: 2 });
  });

  it('is handed to the unit as it is written, with what the engine does not know', async () => {
    const contextPolicy = { state: 'none', tokens: { max: 4_000 } };
    const { calls } = await run({ units: [{ id: 'a', uses: 'echo', contextPolicy }], flow: 'a' });
    expect(calls[0]!.context.contextPolicy).toEqual(contextPolicy);
  });
});

describe('an if that is false', () => {
  it('skips the unit: no call, no output, not completed, and a message says so', async () => {
    const { record, called } = await run({
      units: [{ id: 'a', uses: 'echo', if: 'has(input.go)' }, ...echoes('b')],
      flow: { type: 'sequential' },
    });
    expect(called).toEqual(['b']);
    expect(record.result?.completedUnits).toEqual(['b']);
    expect(record.result?.state).toEqual({ 'output.b': { from: 'b' } });
    expect(record.result?.messages[0]).toMatchObject({ type: 'unit-skipped', unitId: 'a' });
  });
});

import type { UnitHandler } from '../../src/engine/index.js';
import { echoes, run } from './support/runs.js';

const routes = { refund: 'refund', 'two words': 'other' };

function routed(answer: unknown, more: object = {}) {
  const intent: UnitHandler = () => answer;
  const units = [{ id: 'intent', uses: 'intent' }, ...echoes('refund', 'other', 'fallback')];
  return run({ units, flow: { type: 'router', routerUnit: 'intent', routes, ...more } }, { intent });
}

describe('a router', () => {
  it.each([
    ['metadata.route of the answer', { content: 'other', metadata: { route: 'refund' } }, 'refund'],
    ['the content', 'refund', 'refund'],
    ['the content of an envelope', { content: 'two words' }, 'other'],
    ['the content without the white space around it', ' \n refund\t', 'refund'],
    ['a route without the white space around it', { content: '', metadata: { route: ' refund ' } }, 'refund'],
  ])('follows %s', async (_name, answer, unit) => {
    const { called } = await routed(answer);
    expect(called).toEqual(['intent', unit]);
  });

  it('takes the default when no route has the key', async () => {
    expect((await routed('buy', { default: 'fallback' })).called).toEqual(['intent', 'fallback']);
    expect((await routed({ content: 'no key' }, { default: 'fallback' })).called).toEqual([
      'intent',
      'fallback',
    ]);
  });

  it('fails without a default, and the error names the key and the routes', async () => {
    const { record } = await routed('buy');
    expect(record.status).toBe('failed');
    expect(record.error).toBe(
      'The router at /spec/flow got the route "buy"; its routes are refund, two words. Add the route or a default.',
    );
  });

  it('fails without a default when the output is no text', async () => {
    const { record } = await routed([1, 2]);
    expect(record.error).toBe(
      'The router at /spec/flow got no route; its routes are refund, two words. Add the route or a default.',
    );
  });

  it('takes no key that every object inherits', async () => {
    const { record } = await routed('constructor');
    expect(record.error).toContain('got the route "constructor"');
  });

  it('reads numbers and booleans as text', async () => {
    const units = [{ id: 'intent', uses: 'two' }, ...echoes('a')];
    const { called } = await run(
      { units, flow: { type: 'router', routerUnit: 'intent', routes: { 2: 'a' } } },
      { two: () => 2 },
    );
    expect(called).toEqual(['intent', 'a']);
  });

  it('reads the output of this pass, not that of the one before', async () => {
    const answers = ['left', 'right', 'left'];
    const units = [{ id: 'way', uses: 'way' }, ...echoes('left', 'right')];
    const router = { type: 'router', routerUnit: 'way', routes: { left: 'left', right: 'right' } };
    const { called } = await run(
      { units, flow: { type: 'loop', do: router, maxIterations: 3 } },
      { way: () => answers.shift() },
    );
    expect(called).toEqual(['way', 'left', 'way', 'right', 'way', 'left']);
  });
});

describe('a switch', () => {
  const cases = [
    { if: 'input.n > 10', do: 'big' },
    { if: 'input.n > 5', do: 'middle' },
  ];
  const units = echoes('big', 'middle', 'small', 'after');
  const choose = (n: unknown, more: object = {}) =>
    run(
      { units, flow: { type: 'sequential', order: [{ type: 'switch', cases, ...more }, 'after'] } },
      {},
      { n: n as number },
    );

  it('runs the first case that is true, and no other', async () => {
    expect((await choose(11)).called).toEqual(['big', 'after']);
    expect((await choose(6)).called).toEqual(['middle', 'after']);
  });

  it('runs the default when none is, and without one nothing', async () => {
    expect((await choose(1, { default: 'small' })).called).toEqual(['small', 'after']);
    expect((await choose(1)).called).toEqual(['after']);
  });

  it('does not evaluate the cases after the one that is true', async () => {
    const { called } = await run({
      units,
      flow: {
        type: 'switch',
        cases: [
          { if: 'true', do: 'big' },
          { if: 'state.missing', do: 'small' },
        ],
      },
    });
    expect(called).toEqual(['big']);
  });

  it('fails when a case reads a field that is missing, and names the expression', async () => {
    const { record } = await run({
      units,
      flow: { type: 'switch', cases: [{ if: 'state.missing > 1', do: 'big' }] },
    });
    expect(record.status).toBe('failed');
    expect(record.error).toContain('state.missing > 1');
  });

  it('fails when a case is not true or false', async () => {
    const { record } = await run(
      { units, flow: { type: 'switch', cases: [{ if: 'input.n', do: 'big' }] } },
      {},
      { n: 1 },
    );
    expect(record.error).toBe(
      'The switch at /spec/flow: The condition input.n is a number, not true or false: compare it with something.',
    );
  });
});

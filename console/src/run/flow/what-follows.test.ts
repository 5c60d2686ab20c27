import { flowTreeOf } from './flow-tree.js';
import { whatFollows, type Follow } from './what-follows.js';

const gate = (id: string, more: object = {}) => ({ id, uses: 'builtin.approval', ...more });
const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });

function follows(
  units: readonly object[],
  flow: object,
  pointer: string,
  onReject: 'fail' | 'continue' = 'fail',
) {
  const tree = flowTreeOf(JSON.parse(JSON.stringify({ spec: { units, flow } })));
  const result = tree === null ? null : whatFollows(tree, pointer, onReject);
  if (result === null) throw new Error(`There is no gate at ${pointer}`);
  return { approval: result.approval.map(asLine), rejection: result.rejection.map(asLine) };
}

function asLine(follow: Follow): string {
  const indent = '  '.repeat(follow.depth);
  if (follow.kind === 'unit')
    return `${indent}${follow.unitId}${follow.condition === null ? '' : ` if ${follow.condition}`}`;
  return `${indent}${follow.kind === 'gate' ? `gate ${follow.unitId}` : `(${follow.text})`}`;
}

const UNITS = [
  gate('ask'),
  work('pay', { if: 'input.amount > 0' }),
  work('ship'),
  gate('again'),
  work('undo'),
  work('log'),
];

describe('what follows a decision', () => {
  it('is each unit to the end, with its condition', () => {
    const order = { type: 'sequential', order: ['ask', 'pay', 'ship'] };
    expect(follows(UNITS, order, '/spec/flow/order/0')).toEqual({
      approval: ['pay if input.amount > 0', 'ship', '(The run completes.)'],
      rejection: ['(The run fails.)'],
    });
  });

  it('ends at the next gate', () => {
    const order = { type: 'sequential', order: ['ask', 'pay', 'again', 'ship'] };
    expect(follows(UNITS, order, '/spec/flow/order/0').approval).toEqual([
      'pay if input.amount > 0',
      'gate again',
    ]);
  });

  it('goes on after a gate that may be skipped', () => {
    const units = [gate('ask'), gate('maybe', { if: 'vars.large' }), work('ship')];
    const order = { type: 'sequential', order: ['ask', 'maybe', 'ship'] };
    expect(follows(units, order, '/spec/flow/order/0').approval).toEqual([
      'gate maybe',
      'ship',
      '(The run completes.)',
    ]);
  });

  it('is the same after a rejection that the gate lets pass', () => {
    const order = { type: 'sequential', order: ['ask', 'ship'] };
    expect(follows(UNITS, order, '/spec/flow/order/0', 'continue').rejection).toEqual([
      '(The run goes on, and knows of the rejection.)',
      'ship',
      '(The run completes.)',
    ]);
  });

  it('is after a rejection what catches it, and what comes in any case', () => {
    const inside = { type: 'try', do: 'ask', catch: 'undo', finally: 'log' };
    const order = { type: 'sequential', order: [inside, 'ship'] };
    expect(follows(UNITS, order, '/spec/flow/order/0/do')).toEqual({
      approval: ['log', 'ship', '(The run completes.)'],
      rejection: [
        '(The failure is caught:)',
        '  undo',
        '(In any case:)',
        '  log',
        'ship',
        '(The run completes.)',
      ],
    });
  });

  it('fails the run where the catch passes the failure on', () => {
    const inside = { type: 'try', do: 'ask', catch: 'undo', rethrow: true };
    const order = { type: 'sequential', order: [inside, 'ship'] };
    expect(follows(UNITS, order, '/spec/flow/order/0/do').rejection).toEqual([
      '(The failure is caught:)',
      '  undo',
      '(The run fails.)',
    ]);
  });

  it('says that what was done is undone, where something can be', () => {
    const units = [work('book', { compensate: 'cancel' }), work('cancel'), gate('ask')];
    const order = { type: 'sequential', order: ['book', 'ask'] };
    expect(follows(units, order, '/spec/flow/order/1').rejection).toEqual([
      '(What was done and can be undone is undone.)',
      '(The run fails.)',
    ]);
  });

  it('waits for the branches next to it, and then reduces', () => {
    const parallel = { type: 'parallel', units: ['ask', 'pay'], reducer: 'ship' };
    expect(follows(UNITS, parallel, '/spec/flow/units/0').approval).toEqual([
      '(Once the branches next to it are done:)',
      'ship',
      '(The run completes.)',
    ]);
  });

  it('shows what may be chosen, each under its condition', () => {
    const choice = { type: 'switch', cases: [{ if: 'state.a', do: 'pay' }], default: 'again' };
    const order = { type: 'sequential', order: ['ask', choice, 'ship'] };
    expect(follows(UNITS, order, '/spec/flow/order/0').approval).toEqual([
      '(if state.a:)',
      '  pay if input.amount > 0',
      '(else:)',
      '  gate again',
      'ship',
      '(The run completes.)',
    ]);
  });

  it('is in a dag what waits for the gate, however far', () => {
    const dag = {
      type: 'dag',
      executors: ['ask', 'pay', 'ship', 'log'],
      dependencies: { pay: ['ask'], ship: ['pay'] },
      aggregator: 'undo',
    };
    expect(follows(UNITS, dag, '/spec/flow/executors/0').approval).toEqual([
      '(As what they wait for is done:)',
      '  pay if input.amount > 0',
      '  ship',
      'undo',
      '(The run completes.)',
    ]);
  });

  it('is found by the pointer of a key that the log encodes', () => {
    const router = {
      type: 'router',
      routerUnit: 'pay',
      routes: { '50%>#': { type: 'sequential', order: ['ask', 'ship'] } },
    };
    expect(follows(UNITS, router, '/spec/flow/routes/50%>#/order/0').approval).toEqual([
      'ship',
      '(The run completes.)',
    ]);
  });

  it('is cut where there is more than anybody reads', () => {
    const many = Array.from({ length: 500 }, (_, index) => work(`u${index}`));
    const order = { type: 'sequential', order: ['ask', ...many.map(({ id }) => id)] };
    const { approval } = follows([gate('ask'), ...many], order, '/spec/flow/order/0');
    expect(approval).toHaveLength(61);
    expect(approval.at(-1)).toBe('(And more.)');
  });
});

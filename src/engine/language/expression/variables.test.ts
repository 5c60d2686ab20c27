import { compileExpression } from './compile.js';
import { evaluate, scopeOf } from './testing/evaluate.js';

const state = {
  x: 1,
  'output.extract': { total: 5 },
  'output.intent-router': 'sales',
  'output.a.b': 2,
  'errors.pay': 'refused',
  'hitl.approved': true,
};

describe('the variables of every expression', () => {
  it.each([
    ['state.x', 1],
    ['state["output.extract"].total', 5],
    ['state["output.extract"]["total"]', 5],
    ['"output.extract" in state', true],
    ['"output.missing" in state', false],
    ['has(state.x)', true],
    ['has(state.y)', false],
    ['has(state.y.z) || true', true],
    ['outputs.extract.total', 5],
    ['outputs["intent-router"]', 'sales'],
    ['outputs["a.b"]', 2],
    ['"extract" in outputs', true],
    ['has(outputs.extract.total)', true],
    ['has(outputs.pay)', false],
    ['errors.pay', 'refused'],
    ['"extract" in errors', false],
    ['outputs.map(id, id)', ['extract', 'intent-router', 'a.b']],
    ['errors', { pay: 'refused' }],
    ['size(state)', 6],
    ['state.exists(key, key == "x" && state[key] == 1)', true],
    ['state.filter(key, key.startsWith("errors."))', ['errors.pay']],
    ['state', state],
    ['run.runId + "/" + run.workflowId', 'run-1/orders'],
    ['run.createdAt > 0', true],
    ['run', { runId: 'run-1', workflowId: 'orders', createdAt: 1_700_000_000_000 }],
    ['input.name', 'Ann'],
    ['.input.name', 'Ann'],
  ])('are read by %s', (source, value) => {
    expect(evaluate(source, state, { input: { name: 'Ann' } })).toEqual(value);
  });

  it('give nothing of a run but its three fields', () => {
    const run = { runId: 'r', workflowId: 'w', createdAt: 1, secret: 'hidden' };
    expect(evaluate('has(run.secret)', {}, { run })).toBe(false);
    expect(evaluate('size(run)', {}, { run })).toBe(3);
  });
});

describe('the variables of loops', () => {
  it('are in scope where the expression stands in one', () => {
    const inLoop = { inLoop: true, itemNames: [] };
    const inForeach = { inLoop: false, itemNames: ['item'] };
    expect(evaluate('iteration + 1', {}, { iteration: 2 }, inLoop)).toBe(3);
    expect(evaluate('item.n * index', {}, { item: { n: 2 }, index: 3 }, inForeach)).toBe(6);
    expect(evaluate('state.list[index]', { list: ['a', 'b'] }, { item: 0, index: 1 }, inForeach)).toBe('b');
    expect(evaluate('item', {}, { item: null, index: 0 }, inForeach)).toBeNull();
    expect(evaluate('[1, 2].map(item, item)', {}, { item: 9, index: 0 }, inForeach)).toEqual([1, 2]);
  });

  it('take the name that the foreach gives its item, whatever comprehensions call theirs', () => {
    const surroundings = { inLoop: false, itemNames: ['customer', 'order'] };
    const scope = { item: { id: 7 }, index: 0 };
    expect(evaluate('order.id', {}, scope, surroundings)).toBe(7);
    expect(evaluate('[1, 2].map(item, item + order.id)', {}, scope, surroundings)).toEqual([8, 9]);
    expect(messageOf('item.id', surroundings)).toMatch(/is called "order"/);
    expect(messageOf('customer.id', surroundings)).toMatch(/outer foreach/);
  });

  it.each([
    ['iteration > 1', /"iteration" is only in scope inside a loop/],
    ['item.x', /"item" is only in scope inside a foreach/],
    ['index', /"index" is only in scope inside a foreach/],
  ])('are refused elsewhere when %s is compiled', (source, message) => {
    expect(messageOf(source)).toMatch(message);
  });

  it('fail when the run gives them no value', () => {
    expect(() => evaluate('item', {}, {}, { inLoop: false, itemNames: ['item'] })).toThrow(/no value here/);
  });
});

describe('the names of a time, of vars and of a failure', () => {
  it('are shadowed by an item or a variable of a comprehension of that name', () => {
    for (const name of ['now', 'vars', 'error', 'done']) {
      const surroundings = { inLoop: false, itemNames: [name], inCatch: true as const };
      expect(evaluate(`${name}.x`, {}, { item: { x: 7 }, index: 0, now: 1, error: null }, surroundings)).toBe(
        7,
      );
      expect(evaluate(`[1, 2].map(${name}, ${name} + 1)`)).toEqual([2, 3]);
    }
  });

  it('mean nothing else where an outer item of that name is out of scope', () => {
    expect(messageOf('now', { inLoop: false, itemNames: ['now', 'item'] })).toMatch(
      /item of an outer foreach/,
    );
  });

  it.each([
    ['error', /only in scope inside the `catch` or the `finally`/],
    ['done', /only in scope in the `with` of a `compensate`/],
  ])('are load errors where they are out of scope: %s', (source, message) => {
    expect(messageOf(source)).toMatch(message);
  });

  it('are of a few in spec.vars, which is evaluated before there is a run', () => {
    const before = { inLoop: false, itemNames: [], inVars: true as const };
    expect(evaluate('input.n + vars.m', {}, { input: { n: 1 }, vars: { m: 2 } }, before)).toBe(3);
    expect(messageOf('state.x', before)).toMatch(/it sees input, run, vars, and no state/);
    expect(messageOf('now', before)).toMatch(/the run began at timestamp\(run\.createdAt\)/);
  });

  it('of a unit written as elsewhere say how its output is read', () => {
    expect(messageOf('units.a.output')).toMatch(/the output of a is outputs\.a$/);
    expect(messageOf('steps.a.outputs.x')).toMatch(/the output of a is outputs\.a$/);
  });
});

describe('unknown names', () => {
  it.each([
    'amount > 1',
    'process',
    'globalThis',
    'constructor',
    'toString',
    '__proto__',
    'google.protobuf.NullValue.NULL_VALUE',
    'env.HOME',
    '[1].map(x, y)',
    '[1].map(x, x) == [x]',
  ])('are refused when %s is compiled', (source) => {
    expect(messageOf(source)).toMatch(/is unknown: in scope are input, state, outputs, errors, run, now;/);
  });

  it('list what is in scope there', () => {
    expect(messageOf('a', { inLoop: true, itemNames: ['order'] })).toMatch(
      /errors, run, now, iteration, order, index;/,
    );
  });
});

describe('keys that name something of a prototype', () => {
  it.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
    'valueOf',
    'prototype',
  ])('%s is a key like any other, and absent unless it is there', (key) => {
    expect(evaluate(`has(state.${key}) || has(input.${key}) || has(run.${key})`)).toBe(false);
    expect(evaluate(`"${key}" in state.nested || "${key}" in outputs`, { nested: { a: 1 } })).toBe(false);
    expect(() => evaluate(`state.nested.${key}`, { nested: {} })).toThrow(/is missing/);
    expect(() => evaluate(`state.nested["${key}"].x`, { nested: {} })).toThrow(/is missing/);
    expect(() => evaluate(`[].${key}`)).toThrow(/is missing/);
    expect(() => evaluate(`"".${key}`)).toThrow(/is missing/);
  });

  it('are read when they are there', () => {
    expect(evaluate('state.nested.constructor', { nested: { constructor: 1 } })).toBe(1);
    expect(evaluate('[state.nested].map(x, x.toString)', { nested: { toString: 'mine' } })).toEqual(['mine']);
    const nested = JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, never>;
    expect(evaluate('state.nested["__proto__"].polluted', { nested })).toBe(true);
  });

  it('cannot be built as __proto__, and the rest are own properties', () => {
    expect(() => evaluate('{"__proto__": {"polluted": true}}')).toThrow(/__proto__ is refused/);
    expect(() => evaluate('{"__pro" + "to__": 1}')).toThrow(/__proto__ is refused/);
    expect(() => evaluate('state', { ok: 1, ...JSON.parse('{"a": 1}') }, { state: pollutingView() })).toThrow(
      /refused/,
    );
    const built = evaluate('{"constructor": 1, "toString": 2}') as object;
    expect(Object.keys(built)).toEqual(['constructor', 'toString']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

it('reads keys only when it must list them, and once', () => {
  let listings = 0;
  const view = { ...scopeOf({ a: 1, b: 2 }).state };
  const counted = { ...view, keys: () => ((listings += 1), view.keys()) };
  expect(evaluate('state.a == 1 && has(state.b) && "b" in state', {}, { state: counted })).toBe(true);
  expect(listings).toBe(0);
  expect(evaluate('[1, 2, 3].map(x, size(state))', {}, { state: counted })).toEqual([2, 2, 2]);
  expect(listings).toBe(1);
});

function pollutingView() {
  return { get: () => ({ polluted: true }), has: () => true, keys: () => ['__proto__'] };
}

function messageOf(source: string, surroundings?: Parameters<typeof compileExpression>[1]): string {
  const compiled = compileExpression(source, surroundings);
  return compiled.ok ? 'compiles' : compiled.message;
}

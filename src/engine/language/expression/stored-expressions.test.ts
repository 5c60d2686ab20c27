import { compileExpression, compileTemplate, overlay } from './compile.js';
import { encodeExpression, expressionFrom } from './evaluators.js';
import { PROGRAMS } from './program/program-cache.js';
import { scopeOf } from './testing/evaluate.js';

const compiled = (source: string) => {
  const result = compileExpression(source);
  if (!result.ok) throw new Error(result.message);
  return result.expression;
};
const template = (value: object) => {
  const result = compileTemplate(value as never);
  if (!result.ok) throw new Error(result.message);
  return result.template;
};
const around = { evaluator: 1, inLoop: false, itemNames: [] };

describe('an expression out of a stored plan', () => {
  it.each([
    ['an expression', compiled('state.n + 1')],
    ['a template', template({ a: '${{ state.n + 1 }}', b: [1] })],
    ['two templates', overlay(template({ a: '${{ state.n }}' }), template({ b: '${{ state.n }}' }))],
  ])('gives what the one gave that was compiled: %s', (_name, expression) => {
    const stored = expressionFrom(encodeExpression(expression));
    expect(stored.evaluate(scopeOf({ n: 1 }))).toEqual(expression.evaluate(scopeOf({ n: 1 })));
    expect(stored.toStored()).toEqual(expression.toStored());
    expect(stored.source).toBe(expression.source);
  });

  it('is compiled when it is first evaluated, and says then that it cannot be', () => {
    const broken = expressionFrom({ kind: 'expression', source: 'state.', ...around });
    expect(() => broken.evaluate(scopeOf({}))).toThrow('The stored plan is damaged (state.: ');
    const text = expressionFrom({ kind: 'template', value: { a: '${{ 1' }, ...around });
    expect(() => text.evaluate(scopeOf({}))).toThrow('this ${{ is never closed');
  });

  it('gives the same when what was compiled of it was dropped in between', () => {
    const expression = compiled('state.n * 2');
    expect(expression.evaluate(scopeOf({ n: 2 }))).toBe(4);
    for (let index = 0; index < 3; index++) {
      PROGRAMS.add({ size: 500_000, wasUsed: false, drop: () => undefined });
    }
    expect(expression.evaluate(scopeOf({ n: 3 }))).toBe(6);
  });
});

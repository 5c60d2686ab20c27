import { isFrozenAll } from '../../../../test/language/support/frozen.js';
import type { JsonValue } from '../../core/json.js';
import { compileTemplate, overlay, type Template } from './compile.js';
import { evaluate, fill, scopeOf } from './testing/evaluate.js';

function templateOf(value: JsonValue): Template {
  const compiled = compileTemplate(value);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.template;
}

describe('what an expression gives cannot be changed by its receiver:', () => {
  it.each([
    ['a list that it built', '[1, [2]]'],
    ['a map that it built', '{"a": {"b": [1]}}'],
    ['a part of the state', 'state.order'],
    ['a part of the state inside of what it built', '[state.order]'],
    ['what a comprehension built', 'state.order.lines.map(line, [line])'],
  ])('%s', (_name, source) => {
    const value = evaluate(source, { order: { lines: [{ price: 1 }] } });
    expect(isFrozenAll(value)).toBe(true);
  });

  it.each([
    ['a text that is one expression', '${{ state.order }}'],
    ['a map around an expression', { order: '${{ state.order }}', fixed: { a: [1] } }],
    ['a list around an expression', ['${{ state.order }}', [1]]],
    ['a map without any expression', { fixed: { a: [1] } }],
    ['a map with an escape', { text: '$${{ x', fixed: [1] }],
  ])('of a template, %s', (_name, template) => {
    expect(isFrozenAll(fill(template, { order: { lines: [1] } }))).toBe(true);
  });

  it('of two templates laid over one another', () => {
    const both = overlay(templateOf({ a: ['${{ 1 }}'] }), templateOf({ b: { c: [1] } }));
    const value = both.evaluate(scopeOf({}));
    expect(value).toEqual({ a: [1], b: { c: [1] } });
    expect(isFrozenAll(value)).toBe(true);
  });
});

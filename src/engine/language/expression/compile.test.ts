import { compileExpression } from './compile.js';

describe('what does not compile', () => {
  it.each([
    ['', 1, 1, /empty/],
    ['  \n ', 1, 1, /empty/],
    ['state.x >', 1, 9, /incomplete/],
    ['state.x = 1', 1, 9, /"=" cannot stand here/],
    ['state.x == 1 and true', 1, 14, /"and" cannot stand here/],
    ['state.x > 1 &&\n  (state.y', 1, 13, /incomplete/],
    ['state.x\n + 1 )', 2, 6, /"\)" cannot stand here/],
    ['state.x\r\n + 1 )', 2, 6, /"\)" cannot stand here/],
    ['"abc', 1, 1, /cannot stand here/],
    ['[1, 2', 1, 6, /ends too early/],
    ['state.in', 1, 7, /"in" is a reserved word: use the form with brackets/],
    ['true &&\n  amount > 1', 2, 3, /"amount" is unknown/],
    ['state.x + foo(1)', 1, 11, /there is no function "foo"/],
    ['state.x.foo()', 1, 8, /there is no function "foo"/],
    ['has(state["x"])', 1, 1, /has needs a field/],
    ['state.l.map(1, x)', 1, 8, /map needs a list, a variable name/],
    ['google.protobuf.Value{}', 1, 1, /no message type/],
    ['1 + 9223372036854775808', 1, 5, /64 bits/],
    ['1e999', 1, 1, /too large/],
    ['state.x.matches("(")', 1, 17, /regular expression cannot be used/],
    ['state.x.matches("(a)\\\\1")', 1, 17, /regular expression cannot be used/],
    ['@result', 1, 1, /cannot stand here/],
    ['@step(1, true)', 1, 1, /cannot stand here/],
    ['"\\ud800"', 1, 1, /surrogate/],
    ['state?.x', 1, 6, /cannot stand here/],
  ])('%j: at %d:%d', (source, line, column, message) => {
    const compiled = compileExpression(source);
    expect(compiled).toMatchObject({ ok: false, line, column });
    expect(compiled.ok ? '' : compiled.message).toMatch(message);
  });

  it('keeps the text of what compiles as the author wrote it', () => {
    const compiled = compileExpression('  state.x // why\n > 1 ');
    expect(compiled.ok && compiled.expression.source).toBe('  state.x // why\n > 1 ');
  });
});

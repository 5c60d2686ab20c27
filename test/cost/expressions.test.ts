import { compileExpression } from '../../src/engine/language/expression/compile.js';
import { scopeOf } from '../../src/engine/language/expression/testing/evaluate.js';

/** Loose factors over what was measured: they catch a change of order, not a slow machine. */
describe('speed', () => {
  it('does not depend on how large the state is', () => {
    const state = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key${i}`, { n: i }]));
    const compiled = compileExpression('state.amount > 100');
    if (!compiled.ok) throw new Error(compiled.message);
    const scope = scopeOf({ ...state, amount: 150 });
    expect(perCallUs(20_000, () => compiled.expression.evaluate(scope))).toBeLessThan(30);
  });

  it('compiles thousands of expressions a second', () => {
    let n = 0;
    expect(perCallUs(2_000, () => compileExpression(`state.amount${(n += 1)} > 100`))).toBeLessThan(1_000);
  });
});

function perCallUs(calls: number, run: () => unknown): number {
  const startedAt = performance.now();
  for (let i = 0; i < calls; i += 1) run();
  return ((performance.now() - startedAt) * 1_000) / calls;
}

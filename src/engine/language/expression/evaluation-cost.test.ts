import { ExpressionError } from '../../../errors/document-errors.js';
import { evaluate, fill } from './testing/evaluate.js';

/** What the evaluation cost. */
function costOf(source: string, items: number): number {
  const meter = { steps: 0 };
  evaluate(source, { l: Array.from({ length: items }, (_, n) => n) }, { meter });
  return meter.steps;
}

describe('what an evaluation cost', () => {
  it('goes to the meter of its scope, and is the same each time', () => {
    const source = 'state.l.filter(x, x > 3).map(x, string(x)).join(",")';
    expect(costOf(source, 100)).toBeGreaterThan(costOf('1', 0));
    expect(costOf(source, 100)).toBe(costOf(source, 100));
  });

  it('grows with what it does', () => {
    const source = 'state.l.map(x, x + 1).size()';
    expect(costOf(source, 10_000)).toBeGreaterThan(9 * costOf(source, 1_000));
  });

  it('is added to what others cost, those of templates and those that fail too', () => {
    const meter = { steps: 0 };
    fill({ a: '${{ state.l.map(x, x) }}' }, { l: [1, 2, 3] }, { meter });
    const ofTheTemplate = meter.steps;
    expect(ofTheTemplate).toBeGreaterThan(0);
    expect(() => evaluate('state.l.map(x, x + "").size()', { l: [1] }, { meter })).toThrow(ExpressionError);
    expect(meter.steps).toBeGreaterThan(ofTheTemplate);
  });
});

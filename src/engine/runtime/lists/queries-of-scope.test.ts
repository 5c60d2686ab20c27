import fc from 'fast-check';
import { isInScope } from '../../ports/access/policy.js';
import { MAX_PATTERNS, rangeOf } from '../../ports/access/workflow-patterns.js';
import { queriesOf } from './queries-of-scope.js';

const ids = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'é', '😀', '~'), maxLength: 4 });
const patterns = fc.tuple(ids, fc.boolean()).map(([id, isBeginning]) => (isBeginning ? `${id}*` : id));

describe('the queries of a scope', () => {
  it('are one without patterns where everything is shown, or the one workflow that is asked for', () => {
    expect(queriesOf('all', null)).toEqual([null]);
    expect(queriesOf(['a', '*'], null)).toEqual([null]);
    expect(queriesOf(['a*'], 'ab')).toEqual([null]);
  });

  it('are none where nothing is shown', () => {
    expect(queriesOf([], null)).toEqual([]);
    expect(queriesOf(['a*'], 'b')).toEqual([]);
  });

  it('have each pattern once, and none that another one has in it', () => {
    expect(queriesOf(['b', 'ab', 'a*', 'b', 'abc*', 'b-*', 'b*x'], null)).toEqual([
      ['a*', 'b', 'b*x', 'b-*'],
    ]);
    expect(queriesOf(['a', 'a*'], null)).toEqual([['a*']]);
  });

  it('have no more patterns than a query is given', () => {
    const many = Array.from({ length: 2 * MAX_PATTERNS + 1 }, (_, index) => `w${index}`);
    const queries = queriesOf(many, null);
    expect(queries.map((one) => one?.length)).toEqual([MAX_PATTERNS, MAX_PATTERNS, 1]);
    expect(queries.flat().sort()).toEqual(many.sort());
  });

  it('find what the scope shows, each workflow once', () => {
    fc.assert(
      fc.property(fc.array(patterns, { maxLength: 8 }), ids, (scope, id) => {
        const found = queriesOf(scope, null)
          .flatMap((query) => query ?? ['*'])
          .filter((pattern) => isInScope([pattern], id));
        expect(found).toHaveLength(isInScope(scope, id) ? 1 : 0);
      }),
    );
  });
});

describe('the range of a pattern', () => {
  const inOrderOfBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

  it('has the ids that fit it, and no others', () => {
    fc.assert(
      fc.property(patterns, ids, (pattern, id) => {
        const { least, beyond } = rangeOf(pattern);
        const isWithin = inOrderOfBytes(id, least) >= 0 && inOrderOfBytes(id, beyond) < 0;
        expect(isWithin).toBe(isInScope([pattern], id));
      }),
    );
  });
});

/** A comparison of one value with a number, which is all that is looked into. */
const COMPARISON = /^\s*([A-Za-z_][\w.]*(?:\["[^"\\]*"\][\w.]*)*)\s*(>=|<=|==|>|<)\s*(-?\d+(?:\.\d+)?)\s*$/;

interface Bound {
  readonly value: number;
  /** Whether the value itself is covered. */
  readonly isInside: boolean;
  readonly by: number;
}

/** What the cases so far take of one value. */
interface Covered {
  above: Bound | null;
  below: Bound | null;
  readonly exactly: Map<number, number>;
}

/** The cases of one switch, from the first on. */
interface CoveredCases {
  /**
   * Adds the next case. Null: it may be come to; otherwise the index of an earlier case that is true wherever this one is,
   * or `never` for a condition that is never true.
   */
  add(condition: string, index: number): number | 'never' | null;
  /** Whether one of the cases is always true. */
  readonly isComplete: boolean;
}

/**
 * Which cases no run comes to, as far as their texts tell: after one that is always true, equal to an earlier one, or the
 * comparison of a value with a number that an earlier comparison includes. Linear in the cases.
 */
export function coveredBy(): CoveredCases {
  const texts = new Map<string, number>();
  const numbers = new Map<string, Covered>();
  let always: number | null = null;
  return {
    get isComplete() {
      return always !== null;
    },
    add(condition, index) {
      const text = condition.trim();
      if (always !== null) return always;
      if (text === 'false') return 'never';
      const same = texts.get(text);
      if (same !== undefined) return same;
      texts.set(text, index);
      if (text === 'true') always = index;
      const [, name, operator, digits] = COMPARISON.exec(text) ?? [];
      if (name === undefined || operator === undefined) return null;
      let known = numbers.get(name);
      if (known === undefined) numbers.set(name, (known = { above: null, below: null, exactly: new Map() }));
      return coverOf(known, operator, { value: Number(digits), isInside: operator.includes('='), by: index });
    },
  };
}

function coverOf(known: Covered, operator: string, bound: Bound): number | null {
  const { above, below, exactly } = known;
  const { value } = bound;
  if (operator === '==') {
    const by =
      exactly.get(value) ??
      (above !== null && isWithin(value - above.value, above) ? above.by : null) ??
      (below !== null && isWithin(below.value - value, below) ? below.by : null);
    if (by === null) exactly.set(value, bound.by);
    return by;
  }
  if (operator.startsWith('>')) {
    if (above !== null && includes(value - above.value, above, bound)) return above.by;
    known.above = bound;
    return null;
  }
  if (below !== null && includes(below.value - value, below, bound)) return below.by;
  known.below = bound;
  return null;
}

function isWithin(distance: number, { isInside }: Bound): boolean {
  return distance > 0 || (distance === 0 && isInside);
}

/** Whether all that is beyond the inner bound is beyond the outer one. */
function includes(distance: number, outer: Bound, inner: Bound): boolean {
  return distance > 0 || (distance === 0 && (outer.isInside || !inner.isInside));
}

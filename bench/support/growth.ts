import type { Gap, Series } from './results.ts';
import { figureOf } from './statistics.ts';

interface GrowthPlan {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** What all rounds of one size may take together, in ms. */
  readonly boundMs: number;
  /** What one round finds at that size: a value for each line. */
  measure(size: number): Promise<Readonly<Record<string, number>>>;
}

/**
 * Measures all sizes in interleaved rounds, after one that nobody counts. A size whose rounds take too long has fewer of
 * them, and at least one: that is said in a gap.
 */
export async function grow(plan: GrowthPlan, gaps: Gap[]): Promise<Series['lines']> {
  const values = new Map<string, Map<number, number[]>>();
  const left = new Map(plan.sizes.map((size) => [size, plan.boundMs]));
  for (let round = 0; round <= plan.rounds; round++) {
    for (const size of round % 2 === 0 ? plan.sizes : plan.sizes.toReversed()) {
      const before = performance.now();
      const rest = left.get(size) ?? 0;
      if (rest <= 0) continue;
      const found = await plan.measure(size);
      const took = performance.now() - before;
      // The first round warms up, unless there is no time for another.
      const isWarmUp = round === 0 && took * 2 < plan.boundMs;
      left.set(size, rest - took < took ? 0 : rest - took);
      if (!isWarmUp) for (const [line, value] of Object.entries(found)) add(values, line, size, value);
    }
  }
  for (const size of plan.sizes) {
    const measured = Math.min(...[...values.values()].map((line) => line.get(size)?.length ?? 0));
    if (measured < plan.rounds) {
      const reason = `${measured} of ${plan.rounds} rounds: more would take over ${plan.boundMs / 1_000} s`;
      gaps.push({ name: `${plan.name}, ${size.toLocaleString('en')}`, reason });
    }
  }
  return [...values].map(([name, points]) => ({
    name,
    points: plan.sizes.flatMap((size) => {
      const rounds = points.get(size);
      return rounds === undefined ? [] : [{ size, value: figureOf(rounds) }];
    }),
  }));
}

function add(values: Map<string, Map<number, number[]>>, line: string, size: number, value: number): void {
  const points = values.get(line) ?? new Map<number, number[]>();
  values.set(line, points.set(size, [...(points.get(size) ?? []), value]));
}

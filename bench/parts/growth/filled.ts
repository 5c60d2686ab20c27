import { startChild, type Child } from '../../support/child.ts';
import { say, type Effort } from '../../support/part.ts';
import type { Gap } from '../../support/results.ts';
import type { Scope } from '../../support/scope.ts';

/** What one size may take to be filled; a size that takes longer is left out. */
const WITHIN_MS = 240_000;

/** A process for each size, whose folder holds so many; they are filled one after another. */
export async function filled<Answer>(
  what: string,
  script: string,
  effort: Effort,
  scope: Scope,
  gaps: Gap[],
): Promise<ReadonlyMap<number, Child<object, Answer>>> {
  const sizes = effort.quick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
  const children = new Map<number, Child<object, Answer>>();
  for (const size of sizes) {
    const before = performance.now();
    try {
      const starting = startChild<object, Answer>(script, [`${size}`, scope.folder()], WITHIN_MS);
      children.set(size, await scope.use(starting));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      gaps.push({ name: `${size.toLocaleString('en')} ${what}`, reason });
    }
    say(`  ${size} ${what}: ${Math.round((performance.now() - before) / 1_000)} s to make`);
  }
  return children;
}

import { load } from '../../support/load.ts';
import { memoryCourse, residentMemoryDuring, type MemorySample } from '../../support/memory-course.ts';
import { startFlowgate } from '../../support/our-services.ts';
import { say, type Effort } from '../../support/part.ts';
import type { Quantity, Series } from '../../support/results.ts';
import { scoped } from '../../support/scope.ts';
import { figureOf, median } from '../../support/statistics.ts';

interface HalfLoad {
  readonly perSecond: number;
  readonly growth: readonly Quantity[];
  readonly series: readonly Series[];
}

/** Half of what the service can do, for some minutes. */
export function halfLoad(effort: Effort): Promise<HalfLoad> {
  return scoped(async (scope) => {
    const service = await startFlowgate(scope, 'sqlite');
    await load(service, effort.seconds);
    const perSecond = (await load(service, effort.seconds * 2)).perSecond / 2;
    const seconds = Math.max(10, Math.round(effort.idleMinutes * 60));
    say(`  ${seconds} s at ${Math.round(perSecond)} runs per second`);
    const samples = await residentMemoryDuring(service.pid, seconds, async () => {
      // Nobody comes after it, for whom it would have to catch up.
      await load({ ...service, caughtUp: null }, seconds, perSecond);
    });
    if (samples.length === 0) return { perSecond, growth: [], series: [] };
    const growth: Quantity = {
      id: 'memory-growth',
      title: `Growth of resident memory over ${effort.idleMinutes} minutes at half load`,
      unit: '%',
      value: figureOf([growthOf(samples)]),
    };
    const course = { id: 'half-load', title: 'Resident memory at half load' };
    const series = memoryCourse(course, { 'service on SQLite': samples });
    return { perSecond, growth: [growth], series: [series] };
  });
}

/** In %: the last tenth against the second one. In the first the heap takes the size that the load asks for. */
function growthOf(samples: readonly MemorySample[]): number {
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const middle = (part: readonly MemorySample[]) => median(part.map(({ megabytes }) => megabytes));
  const [early, late] = [middle(samples.slice(tenth, 2 * tenth)), middle(samples.slice(-tenth))];
  return (late / early - 1) * 100;
}

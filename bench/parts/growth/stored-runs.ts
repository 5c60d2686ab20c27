import type { StoredRunsCost } from '../../contenders/stored-runs.ts';
import { startChild, type Child } from '../../support/child.ts';
import { grow } from '../../support/growth.ts';
import { say, type Effort } from '../../support/part.ts';
import type { Gap, Series } from '../../support/results.ts';
import type { Scope } from '../../support/scope.ts';

const BOUND_MS = 90_000;

/** What a start, a page of a list, a record and the opening cost in a store that holds many runs. */
export async function storedRuns(effort: Effort, scope: Scope, gaps: Gap[]): Promise<readonly Series[]> {
  const sizes = effort.quick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
  const children = new Map<number, Child<object, StoredRunsCost>>();
  for (const size of sizes) {
    const before = performance.now();
    children.set(size, await scope.use(startChild('bench/contenders/stored-runs.ts', [`${size}`])));
    say(`  ${size} stored runs made in ${Math.round((performance.now() - before) / 1_000)} s`);
  }
  const opening = 'opening, ms';
  const lines = await grow(
    {
      name: 'stored runs',
      sizes,
      rounds: effort.rounds,
      boundMs: BOUND_MS,
      measure: async (size) => {
        const child = children.get(size);
        if (child === undefined) throw new Error(`Nobody holds ${size} runs.`);
        const { openMs, start, list, get } = await child.ask({});
        return {
          'start of a run, to its end': start,
          'list of 50 runs': list,
          'GET of a run': get,
          [opening]: openMs,
        };
      },
    },
    gaps,
  );
  return [
    {
      id: 'stored-runs',
      title: 'Stored runs, on SQLite, engine alone',
      sizeName: 'stored runs',
      unit: 'µs CPU',
      axes: 'powers',
      lines: lines.filter(({ name }) => name !== opening),
    },
    {
      id: 'opening',
      title: 'Opening a folder with stored runs',
      sizeName: 'stored runs',
      unit: 'ms',
      axes: 'powers',
      lines: lines.filter(({ name }) => name === opening).map((line) => ({ ...line, name: 'opening' })),
    },
  ];
}

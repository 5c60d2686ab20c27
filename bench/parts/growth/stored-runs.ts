import type { StoredRunsCost } from '../../contenders/stored-runs.ts';
import { grow } from '../../support/growth.ts';
import type { Effort } from '../../support/part.ts';
import type { Gap, Series } from '../../support/results.ts';
import type { Scope } from '../../support/scope.ts';
import { filled } from './filled.ts';

const BOUND_MS = 90_000;

/** What a start, a page of a list, a record and the boot cost in a store that holds many runs. */
export async function storedRuns(effort: Effort, scope: Scope, gaps: Gap[]): Promise<readonly Series[]> {
  const children = await filled<StoredRunsCost>(
    'stored runs',
    'bench/contenders/stored-runs.ts',
    effort,
    scope,
    gaps,
  );
  const opening = 'opening, ms';
  const lines = await grow(
    {
      name: 'stored runs',
      sizes: [...children.keys()],
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

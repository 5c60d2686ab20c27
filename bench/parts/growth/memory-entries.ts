import type { MemoryAnswer } from '../../contenders/memory-entries.ts';
import { grow } from '../../support/growth.ts';
import type { Effort } from '../../support/part.ts';
import type { Gap, Series } from '../../support/results.ts';
import type { Scope } from '../../support/scope.ts';
import { filled } from './filled.ts';

const BOUND_MS = 120_000;

/** How long a search takes in a memory of many entries. */
export async function memoryEntries(effort: Effort, scope: Scope, gaps: Gap[]): Promise<readonly Series[]> {
  const children = await filled<MemoryAnswer>(
    'memory entries',
    'bench/contenders/memory-entries.ts',
    effort,
    scope,
    gaps,
  );
  const lines = await grow(
    {
      name: 'memory entries',
      sizes: [...children.keys()],
      rounds: effort.rounds,
      boundMs: BOUND_MS,
      measure: async (size) => {
        const child = children.get(size);
        if (child === undefined) throw new Error(`Nobody holds ${size} entries.`);
        const { selective, common } = await child.ask({});
        return {
          'selective terms, p50': selective.p50,
          'selective terms, p99': selective.p99,
          'common terms, p50': common.p50,
          'common terms, p99': common.p99,
        };
      },
    },
    gaps,
  );
  return [
    {
      id: 'memory-search',
      title: 'Search in the memory on SQLite, one search at a time',
      sizeName: 'memory entries',
      unit: 'ms',
      axes: 'powers',
      lines,
    },
  ];
}

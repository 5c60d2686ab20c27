import type { GrowingQuestion } from '../../contenders/growing-runs.ts';
import { startChild } from '../../support/child.ts';
import { grow } from '../../support/growth.ts';
import type { GrowingShape, Width } from '../../support/growing-workflows.ts';
import type { Effort } from '../../support/part.ts';
import type { Gap, Series } from '../../support/results.ts';
import type { Scope } from '../../support/scope.ts';

const WIDTHS = [10, 100, 1_000, 10_000];
const STATES = [1_000, 10_000, 100_000, 1_000_000];
const BOUND_MS = 60_000;

const LINES: Readonly<Record<Width, string>> = {
  foreach: 'foreach',
  'foreach-all': 'foreach, all in flight',
  parallel: 'parallel',
  dag: 'dag',
  'dag-few': 'dag, 16 open at a time',
};

/** Units per run, width, and size of state: what a unit, or a run, costs as it grows. */
export async function growingRuns(effort: Effort, scope: Scope, gaps: Gap[]): Promise<readonly Series[]> {
  const child = await scope.use(startChild<GrowingQuestion, number>('bench/contenders/growing-runs.ts'));
  const units = effort.quick ? 2_000 : 20_000;
  /** About as many units in each round, whatever the size. */
  const perUnit = async (shape: GrowingShape, size: number): Promise<number> => {
    const runs = Math.max(1, Math.round(units / size));
    return (await child.ask({ shape, size, store: 'memory', runs })) / size;
  };
  const perRun = (store: GrowingQuestion['store'], size: number): Promise<number> => {
    const runs = Math.max(4, Math.round(((effort.quick ? 0.1 : 1) * 1_000_000) / (size + 1_000)));
    return child.ask({ shape: 'state', size, store, runs });
  };
  const { rounds } = effort;
  return [
    {
      id: 'units-per-run',
      title: 'Units per run, one after another, in memory',
      sizeName: 'units of a run',
      unit: 'µs CPU per unit',
      axes: 'powers',
      lines: await grow(
        {
          name: 'units per run',
          sizes: WIDTHS,
          rounds,
          boundMs: BOUND_MS,
          measure: async (size) => ({ sequential: await perUnit('units', size) }),
        },
        gaps,
      ),
    },
    {
      id: 'width',
      title: 'Width: all open at once, answers one by one, in memory',
      sizeName: 'units open at once',
      unit: 'µs CPU per unit',
      axes: 'powers',
      lines: await widths(),
    },
    {
      id: 'state',
      title: 'Size of the state, three units',
      sizeName: 'characters of state',
      unit: 'µs CPU per run',
      axes: 'powers',
      lines: await grow(
        {
          name: 'size of the state',
          sizes: STATES,
          rounds,
          boundMs: BOUND_MS,
          measure: async (size) => ({
            'in memory': await perRun('memory', size),
            'on SQLite': await perRun('sqlite', size),
          }),
        },
        gaps,
      ),
    },
  ];

  async function widths(): Promise<Series['lines']> {
    const found: Series['lines'][number][] = [];
    for (const shape of Object.keys(LINES) as Width[]) {
      const measure = async (size: number) => ({ [LINES[shape]]: await perUnit(shape, size) });
      const name = `width, ${LINES[shape]}`;
      found.push(...(await grow({ name, sizes: WIDTHS, rounds, boundMs: BOUND_MS, measure }, gaps)));
    }
    return found;
  }
}

import { ANY_RUN, type RunFilter } from '../../src/engine/ports/store/run-filter.js';
import type { RunRow } from '../../src/engine/ports/store/run-row.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';

/** The rows of the namespace `default` that pass, newest first; of more than a few hundred the newest. */
export async function runsStored(
  store: Pick<RunStore, 'findRuns'>,
  filter: Partial<RunFilter> = {},
): Promise<readonly RunRow[]> {
  const request = { namespace: 'default', filter: { ...ANY_RUN, ...filter }, before: null, limit: 300 };
  return (await store.findRuns(request)).runs.map(({ row }) => row);
}

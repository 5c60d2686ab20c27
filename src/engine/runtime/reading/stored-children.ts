import type { RunIndex } from '../../ports/store/run-index.js';
import type { RunRow } from '../../ports/store/run-row.js';

const PAGE = 200;

interface ChildCursor {
  readonly afterRunId: string | null;
  readonly limit: number;
}

/** The children of a run that have not ended, in order of their ids. */
export function childrenOf(
  store: Pick<RunIndex, 'listChildren'>,
  parentRunId: string,
): AsyncIterable<RunRow> {
  return eachRow((cursor) => store.listChildren({ parentRunId, ...cursor }));
}

/** The runs below the run, at any depth, that have not ended and may have an open gate. */
export async function* runsBelowWithGates(
  store: Pick<RunIndex, 'listChildren' | 'listRunsBelowWithGates'>,
  runId: string,
): AsyncIterable<RunRow> {
  if (store.listRunsBelowWithGates !== undefined) {
    const list = store.listRunsBelowWithGates.bind(store);
    yield* eachRow((cursor) => list({ runId, ...cursor }));
    return;
  }
  for await (const row of childrenOf(store, runId)) {
    yield row;
    yield* runsBelowWithGates(store, row.runId);
  }
}

async function* eachRow(page: (cursor: ChildCursor) => Promise<readonly RunRow[]>): AsyncIterable<RunRow> {
  for (let afterRunId: string | null = null; ;) {
    const rows: readonly RunRow[] = await page({ afterRunId, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    afterRunId = last.runId;
  }
}

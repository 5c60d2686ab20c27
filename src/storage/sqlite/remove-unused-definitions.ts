import { lastPosition } from './operations/log/read-log.js';
import { nameOf, removeDefinitionsOperation } from './operations/definitions/unused-definitions.js';
import type { OpenStore } from './open-store.js';

/** Definitions that are looked at in one call. */
const MAX_CANDIDATES = 20_000;
/** Runs that the reader thread looks at before it takes other requests: some 10 ms. */
const PAGE = 10_000;

/**
 * Removes definitions that nothing names. Which ones the runs name is read page by page in the reader thread, since an index
 * for it would cost every start. Runs that began after the reading did are left to the deletion itself.
 */
export async function removeUnusedDefinitions(
  { read, scanner, commits }: Pick<OpenStore, 'read' | 'scanner' | 'commits'>,
  { opening: bootId, limit }: { readonly opening: string | null; readonly limit: number },
): Promise<number> {
  const position = read(lastPosition);
  const found = await scanner.listUnregistered({ opening: bootId, limit: MAX_CANDIDATES });
  const unused = new Map(found.map((one) => [nameOf(one.namespace, one.hash), one]));
  for (let afterRunId: string | null = ''; afterRunId !== null && unused.size > 0;) {
    const page = await scanner.definitionsOfRuns({ afterRunId, limit: PAGE });
    for (const name of page.named) unused.delete(name);
    afterRunId = page.lastRunId;
  }
  if (unused.size === 0) return 0;
  const chosen = [...unused.values()].slice(0, limit);
  const removed = await commits.submit(removeDefinitionsOperation(position, bootId, chosen));
  return typeof removed === 'object' && removed !== null ? removed.length : 0;
}

import { lastPosition } from './operations/read-log.js';
import { nameOf } from './operations/unused-definitions.js';
import type { OpenStore } from './open-store.js';
import { removeDefinitionsOperation } from './writer/operation.js';

/** Definitions looked at in one go. */
const MAX_CANDIDATES = 20_000;
/** Runs that the reader thread looks at before it takes other questions: some 10 ms. */
const PAGE = 10_000;

/**
 * Definitions that nothing names go. Which ones the runs name is read page by page in the reader thread, since no index
 * is worth keeping for it: every start would pay. What began after the reading did is left to the deletion itself.
 */
export async function removeUnusedDefinitions(
  { points, scanner, commits }: Pick<OpenStore, 'points' | 'scanner' | 'commits'>,
  { opening, limit }: { readonly opening: string | null; readonly limit: number },
): Promise<number> {
  const position = lastPosition(points);
  const found = await scanner.listUnregistered({ opening, limit: MAX_CANDIDATES });
  const unused = new Map(found.map((one) => [nameOf(one.namespace, one.hash), one]));
  for (let afterRunId: string | null = ''; afterRunId !== null && unused.size > 0;) {
    const page = await scanner.definitionsOfRuns({ afterRunId, limit: PAGE });
    for (const name of page.named) unused.delete(name);
    afterRunId = page.lastRunId;
  }
  if (unused.size === 0) return 0;
  const chosen = [...unused.values()].slice(0, limit);
  const removed = await commits.submit(removeDefinitionsOperation(position, opening, chosen));
  return typeof removed === 'object' && removed !== null ? removed.length : 0;
}

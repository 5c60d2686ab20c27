import { deepFreeze } from '../../core/freeze.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { passes } from '../../ports/store/run-filter.js';
import type { ListedRun } from '../../ports/store/run-row.js';
import type { RunItem } from '../../run-lists.js';
import { filterOf } from '../lists/filter-of.js';
import { checkedLimit } from '../lists/list-cursor.js';
import type { RunLists } from '../lists/run-lists.js';
import type { ListRunsRequest } from '../requests/run-requests.js';
import type { ReadCache } from './read-cache.js';
import { refuseCursor, type WatchedList } from './list-stream.js';
import { ListWatcher } from './list-watcher.js';

/** Items are made once for all clients that are shown the same state of a run. */
const items = new WeakMap<ListedRun, Promise<RunItem>>();

/** Throws an `InvalidRequestError`. */
export function checkWatchedRuns(request: ListRunsRequest): void {
  refuseCursor(request.cursor);
  filterOf(request);
  checkedLimit(request.limit);
}

/** `engine.runs.list`, watched. Throws an `InvalidRequestError`. */
export function watchedRuns(
  request: ListRunsRequest,
  { lists, readCache }: { readonly lists: RunLists; readonly readCache: ReadCache },
): WatchedList<RunItem> {
  checkWatchedRuns(request);
  const { namespace = DEFAULT_NAMESPACE } = request;
  const filter = filterOf(request);
  const { workflowId, definitionHash, idPrefix } = filter;
  const watcher = new ListWatcher(
    namespace,
    (entry) =>
      (workflowId === null || entry.workflowId === workflowId) &&
      (definitionHash === null || entry.definitionHash === definitionHash) &&
      (idPrefix === null || entry.runId.startsWith(idPrefix)),
    async ({ runId }, tick) => {
      const listed = await readCache.read(runId, tick);
      return listed !== null && passes(filter, listed);
    },
  );
  return {
    watcher,
    key: JSON.stringify(['runs', namespace, filter, checkedLimit(request.limit)]),
    page: () => lists.list(request),
    runIdOf: ({ runId }) => runId,
    keyOf: () => '',
    async changes({ runId, tick }, known) {
      const listed = await readCache.read(runId, tick);
      if (listed !== null && passes(filter, listed)) {
        const item = await itemOf(listed, lists);
        return [{ key: '', version: listed.row.lastSeq, change: { type: 'upsert', item } }];
      }
      return known.size === 0 ? [] : [{ key: '', version: null, change: { type: 'remove', runId } }];
    },
  };
}

function itemOf(listed: ListedRun, lists: RunLists): Promise<RunItem> {
  const known = items.get(listed);
  if (known !== undefined) return known;
  const made = lists.item(listed).then(deepFreeze);
  made.catch(() => items.delete(listed));
  items.set(listed, made);
  return made;
}

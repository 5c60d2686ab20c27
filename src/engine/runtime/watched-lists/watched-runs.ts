import { deepFreeze } from '../../core/freeze.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { isInScope } from '../../ports/access/policy.js';
import { passes } from '../../ports/store/run-filter.js';
import type { ListedRun } from '../../ports/store/run-row.js';
import type { RunItem } from '../../run-lists.js';
import { filterOf } from '../lists/filter-of.js';
import { checkedLimit } from '../lists/list-cursor.js';
import { keyOfScope } from '../lists/queries-of-scope.js';
import type { RunLists } from '../lists/run-lists.js';
import type { ListRunsRequest } from '../run-requests.js';
import { refuseCursor } from './list-stream.js';
import { madeOnce } from './made-once.js';
import type { WatchedList } from './watched-list.js';

/** Items are made once for all clients, of whichever list, that are shown the same state of a run. */
const items = new WeakMap<ListedRun, () => Promise<RunItem>>();

/** Throws an `InvalidRequestError`. */
export function checkWatchedRuns(request: ListRunsRequest): void {
  refuseCursor(request.cursor);
  filterOf(request);
  checkedLimit(request.limit);
}

/** `engine.runs.list`, watched. Throws an `InvalidRequestError`. */
export function watchedRuns(request: ListRunsRequest, lists: RunLists): WatchedList<RunItem> {
  checkWatchedRuns(request);
  const { namespace = DEFAULT_NAMESPACE, scope = 'all' } = request;
  const filter = filterOf(request);
  const { workflowId, definitionHash, idPrefix } = filter;
  const isShown = (listed: ListedRun | null): listed is ListedRun =>
    listed !== null && isInScope(scope, listed.row.workflowId);
  return {
    key: JSON.stringify(['runs', namespace, keyOfScope(scope), filter, checkedLimit(request.limit)]),
    namespace,
    keysIn: (entry) =>
      isInScope(scope, entry.workflowId) &&
      (workflowId === null || entry.workflowId === workflowId) &&
      (definitionHash === null || entry.definitionHash === definitionHash) &&
      (idPrefix === null || entry.runId.startsWith(idPrefix))
        ? ['']
        : [],
    page: () => lists.list(request),
    runIdOf: ({ runId }) => runId,
    keyOf: () => '',
    removalOf: (runId) => ({ type: 'remove', runId }),
    async mayHave(run) {
      const listed = await run.listed();
      return isShown(listed) && passes(filter, listed);
    },
    async itemsOf(run) {
      const listed = await run.listed();
      if (!isShown(listed) || !passes(filter, listed)) return { items: [], areAll: true };
      const item = { key: '', version: listed.row.lastSeq, make: itemOf(listed, lists) };
      return { items: [item], areAll: true };
    },
  };
}

function itemOf(listed: ListedRun, lists: RunLists): () => Promise<RunItem> {
  const known = items.get(listed);
  if (known !== undefined) return known;
  const make = madeOnce(() => lists.item(listed).then(deepFreeze));
  items.set(listed, make);
  return make;
}

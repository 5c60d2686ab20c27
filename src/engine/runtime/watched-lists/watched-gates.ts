import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { isInScope } from '../../ports/access/policy.js';
import type { ListedGate } from '../../ports/store/gates.js';
import type { RunIndex } from '../../ports/store/run-index.js';
import type { ListedRun } from '../../ports/store/run-row.js';
import type { GateItem } from '../../run-lists.js';
import { checkedGateStatus, MAX_STREAMED_PAYLOAD_BYTES, type GateLists } from '../lists/gate-lists.js';
import { filterText } from '../lists/filter-of.js';
import { checkedLimit } from '../lists/list-cursor.js';
import { keyOfScope } from '../lists/queries-of-scope.js';
import type { ListGatesRequest } from '../run-requests.js';
import { refuseCursor } from './list-stream.js';
import type { WatchedList } from './watched-list.js';

export interface WatchedGatesOptions {
  readonly lists: GateLists;
  readonly store: Pick<RunIndex, 'listOpenGates' | 'listGates'>;
}

/** Decisions of a moment ago are among so many of the workflow's newest ones. */
const NEWEST = 200;

/** Throws an `InvalidRequestError`. */
export function checkWatchedGates({ cursor, limit, status, workflowId }: ListGatesRequest): void {
  refuseCursor(cursor);
  filterText('workflowId', workflowId);
  checkedLimit(limit);
  checkedGateStatus(status);
}

/** `engine.gates.list`, watched. Throws an `InvalidRequestError`. */
export function watchedGates(
  request: ListGatesRequest,
  { lists, store }: WatchedGatesOptions,
): WatchedList<GateItem> {
  checkWatchedGates(request);
  const { namespace = DEFAULT_NAMESPACE, scope = 'all', status = 'open', workflowId } = request;
  const type = status === 'open' ? 'gate.opened' : 'gate.decided';
  const gatesOf = status === 'open' ? openGatesOf : decidedGatesOf;
  return {
    key: JSON.stringify([
      'gates',
      namespace,
      keyOfScope(scope),
      status,
      workflowId ?? null,
      checkedLimit(request.limit),
    ]),
    namespace,
    keysIn: (entry) => {
      if (workflowId !== undefined && entry.workflowId !== workflowId) return [];
      if (!isInScope(scope, entry.workflowId)) return [];
      return entry.events
        .filter(({ event }) => event.type === type)
        .map(({ event }) => String(event.data['gateId']));
    },
    page: () => lists.list(request, MAX_STREAMED_PAYLOAD_BYTES),
    runIdOf: ({ runId }) => runId,
    keyOf: ({ gateId }) => String(gateId),
    removalOf: (runId, key) => ({ type: 'remove', runId, gateId: Number(key) }),
    // Which gates an entry moves is known without a read.
    mayHave: async () => true,
    async itemsOf(run) {
      const listed = await run.listed();
      if (listed === null || !isInScope(scope, listed.row.workflowId)) return { items: [], areAll: true };
      const gates = await gatesOf(listed, store);
      const items = gates.map((gate) => ({
        key: String(gate.gateId),
        // A gate that is in the list does not change.
        version: 0,
        make: () => lists.item(gate, MAX_STREAMED_PAYLOAD_BYTES),
      }));
      // A decided gate stays in the list until its run is purged.
      return { items, areAll: status === 'open' };
    },
  };
}

async function openGatesOf(
  { row }: ListedRun,
  store: WatchedGatesOptions['store'],
): Promise<readonly ListedGate[]> {
  const { runId, workflowId, definitionHash, endedAt } = row;
  if (endedAt !== null) return [];
  const open = await store.listOpenGates({ runId });
  const about = { runId, workflowId, definitionHash, decidedAt: null, decidedSeq: null };
  return open.map((gate) => ({ ...gate, ...about }));
}

async function decidedGatesOf(
  { row: { runId, namespace, workflowId } }: ListedRun,
  store: WatchedGatesOptions['store'],
): Promise<readonly ListedGate[]> {
  const of = { namespace, workflowId, workflows: null };
  const newest = { ...of, status: 'decided', before: null, limit: NEWEST } as const;
  const { gates } = await store.listGates(newest);
  return gates.filter((gate) => gate.runId === runId);
}

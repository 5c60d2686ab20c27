import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { ListedGate } from '../../ports/store/gates.js';
import type { RunIndex } from '../../ports/store/run-index.js';
import type { GateItem } from '../../run-lists.js';
import { filterText } from '../lists/filter-of.js';
import { checkedLimit } from '../lists/list-cursor.js';
import { checkedGateStatus, MAX_STREAMED_PAYLOAD_BYTES, type GateLists } from '../lists/gate-lists.js';
import type { ListGatesRequest } from '../requests/run-requests.js';
import type { ReadCache } from './read-cache.js';
import { refuseCursor, type KeyedChange, type WatchedList } from './list-stream.js';
import { ListWatcher, type PendingRun } from './list-watcher.js';

export interface WatchedGatesOptions {
  readonly lists: GateLists;
  readonly readCache: ReadCache;
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
export function watchedGates(request: ListGatesRequest, options: WatchedGatesOptions): WatchedList<GateItem> {
  checkWatchedGates(request);
  const { namespace = DEFAULT_NAMESPACE, status = 'open', workflowId } = request;
  const type = status === 'open' ? 'gate.opened' : 'gate.decided';
  const watcher = new ListWatcher(
    namespace,
    (entry) =>
      (workflowId === undefined || entry.workflowId === workflowId) &&
      entry.events.some(({ event }) => event.type === type),
    null,
  );
  const { lists } = options;
  return {
    watcher,
    key: JSON.stringify(['gates', namespace, status, workflowId ?? null, checkedLimit(request.limit)]),
    page: () => lists.list(request, MAX_STREAMED_PAYLOAD_BYTES),
    runIdOf: ({ runId }) => runId,
    keyOf: ({ gateId }) => String(gateId),
    async changes(run, known) {
      const { gates, gone } =
        status === 'open' ? await openNow(run, known, options) : await decidedOf(run, known, options);
      const changes: KeyedChange<GateItem>[] = gone.map((key) => ({
        key,
        version: null,
        change: { type: 'remove', runId: run.runId, gateId: Number(key) },
      }));
      for (const gate of gates) {
        const item = await lists.item(gate, MAX_STREAMED_PAYLOAD_BYTES);
        const key = String(gate.gateId);
        if (item !== null) changes.push({ key, version: null, change: { type: 'upsert', item } });
      }
      return changes;
    },
  };
}

interface ChangedGates {
  /** The gates that are new in the list. */
  readonly gates: readonly ListedGate[];
  /** The keys of gates that are no longer in the list. */
  readonly gone: readonly string[];
}

type Known = ReadonlySet<string>;

async function openNow(
  { runId, tick }: PendingRun,
  known: Known,
  { readCache, store }: WatchedGatesOptions,
): Promise<ChangedGates> {
  const listed = await readCache.read(runId, tick);
  if (listed === null || listed.row.endedAt !== null) return { gates: [], gone: [...known] };
  const { workflowId, definitionHash } = listed.row;
  const open = await store.listOpenGates({ runId });
  const keys = new Set(open.map(({ gateId }) => String(gateId)));
  const about = { runId, workflowId, definitionHash, decidedAt: null, decidedSeq: null };
  return {
    gates: open.filter(({ gateId }) => !known.has(String(gateId))).map((gate) => ({ ...gate, ...about })),
    gone: [...known].filter((key) => !keys.has(key)),
  };
}

/** A decided gate stays in the list until its run is purged. */
async function decidedOf(
  { runId, tick }: PendingRun,
  known: Known,
  { readCache, store }: WatchedGatesOptions,
): Promise<ChangedGates> {
  const listed = await readCache.read(runId, tick);
  if (listed === null) return { gates: [], gone: [...known] };
  const { namespace, workflowId } = listed.row;
  const newest = { namespace, workflowId, status: 'decided', before: null, limit: NEWEST } as const;
  const { gates } = await store.listGates(newest);
  return {
    gates: gates.filter((gate) => gate.runId === runId && !known.has(String(gate.gateId))),
    gone: [],
  };
}

import { movesGates } from '../../../core/log/event-kinds.js';
import type { RunEvent } from '../../../core/log/event.js';
import { compensationOf } from '../../../core/state/debts/compensation-summary.js';
import type { RunState } from '../../../core/state/state.js';
import { isOver, openExecutionsOf, statusOf, wakeAtOf } from '../../../core/state/status.js';
import { openGatesOf, type Gate } from '../../../core/waits/gate.js';
import { waitOf } from '../../../core/waits/wait-kind.js';
import type { AppendRequest, IdempotencyRecord, StoredState } from '../../../ports/store/append.js';
import type { DecidedGate, OpenGate } from '../../../ports/store/gates.js';
import type { RunRow } from '../../../ports/store/run-row.js';
import { concernsFamily } from '../../../core/family/family-changes.js';

/**
 * What lists and sweeps see of a run. Frozen executions do not count as open, as nothing is to be called for them.
 * `isDueAtOnce`: the next look takes the run up.
 */
export function rowOf(state: RunState, isDueAtOnce = false): RunRow {
  return {
    runId: state.runId,
    namespace: state.namespace,
    workflowId: state.workflowId,
    definitionHash: state.definitionHash,
    status: statusOf(state),
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    endedAt: isOver(state) ? state.updatedAt : null,
    openExecutions: openExecutionsOf(state),
    wakeAt: isDueAtOnce ? state.updatedAt : wakeAtOf(state),
    lastSeq: state.seq,
    // An imported run's parent is a run of another store, even if a run with the same id exists here.
    parentRunId: state.isImported ? null : (state.parent?.runId ?? null),
    origin: state.isImported ? 'import' : state.origin,
    forkedFrom: state.forkedFrom,
    isCancelled: state.phase === 'cancelled',
    figures: {
      tokens: state.usage.tokens,
      cost: state.usage.cost,
      activeMs: state.activeMs,
      activeSince: state.activeSince,
    },
    compensation: compensationOf(state),
  };
}

/**
 * One append: the events, and the part of the state that lists and sweeps see. Its path to the disk begins here:
 * docs/paths.md#append.
 *
 * 1. It follows from the two states and the events alone.
 * 2. `expectedSeq` is that of the state on which the events were decided: if another append was first, this one is
 *    refused as a whole.
 * 3. Gates, decisions and labels are null where these events change nothing of them, which is nearly always.
 */
export function appendRequest(
  from: RunState,
  to: RunState,
  events: readonly RunEvent[],
  extra: {
    readonly storedState: StoredState | null;
    readonly idempotency: readonly IdempotencyRecord[];
    readonly startedFrom: AppendRequest['startedFrom'];
    /** A preempted turn continues at once, in whichever process. */
    readonly isPreempted: boolean;
    /** The writer does not own the run: the next look finds the run due, in case the owner is never notified. */
    readonly isForeign: boolean;
  },
): AppendRequest {
  const isDueAtOnce = extra.isPreempted || (extra.isForeign && openExecutionsOf(to) > 0);
  const isFirst = from.seq === 0;
  return {
    runId: to.runId,
    expectedSeq: from.seq,
    events,
    row: rowOf(to, isDueAtOnce),
    storedState: extra.storedState,
    idempotency: extra.idempotency,
    labels: labelsIn(events[0]),
    openGates: gatesToWrite(from, to, events),
    decidedGates: decisionsIn(from, events),
    startedFrom: isFirst ? extra.startedFrom : null,
    concernsFamily: concernsFamily(from, to, events),
  };
}

/** What an append leaves as it was, where it is of an event that no turn emitted. */
const AS_BEFORE = {
  idempotency: [],
  openGates: null,
  decidedGates: null,
  startedFrom: null,
} as const;

/** The append of a run's quarantine, made from its row alone: reading the run may be what kills the process. */
export function quarantineRequest(row: RunRow, event: RunEvent): AppendRequest {
  const { seq: lastSeq, at: updatedAt } = event;
  return {
    ...AS_BEFORE,
    runId: row.runId,
    expectedSeq: row.lastSeq,
    events: [event],
    row: { ...row, status: 'paused', updatedAt, openExecutions: 0, wakeAt: null, lastSeq },
    storedState: null,
    labels: null,
    concernsFamily: row.parentRunId !== null,
  };
}

/** The append of a whole imported run: its log as it was stored elsewhere, and the event that ends it. */
export function importRequest(
  state: RunState,
  events: AppendRequest['events'],
  beside: { readonly labels: Readonly<Record<string, string>>; readonly storedState: StoredState | null },
): AppendRequest {
  const { labels, storedState } = beside;
  return {
    ...AS_BEFORE,
    runId: state.runId,
    expectedSeq: 0,
    events,
    row: rowOf(state),
    storedState,
    labels: Object.keys(labels).length === 0 ? null : labels,
    // Its parent and its children are runs of elsewhere.
    concernsFamily: false,
  };
}

/** Null for the many appends of runs that have no gate. */
function gatesToWrite(from: RunState, to: RunState, events: readonly RunEvent[]): readonly OpenGate[] | null {
  if (!events.some(movesGates)) return null;
  const before = openGatesOf(from);
  const gates = isOver(to) ? [] : openGatesOf(to);
  if (before.length === 0 && gates.length === 0) return null;
  return gates.map(({ gateId, unitId, openedAt }) => ({ gateId, unitId, openedAt }));
}

/** Null for the many appends without a decision. */
function decisionsIn(from: RunState, events: readonly RunEvent[]): readonly DecidedGate[] | null {
  let decided: DecidedGate[] | null = null;
  for (const event of events) {
    if (event.type !== 'gate-decided') continue;
    const { gateId, unitId, at: decidedAt, seq: decidedSeq } = event;
    // This append opened the gate, or an earlier one did, or a rewind in this one reopened it, and only the log has when.
    const opened = events[gateId - from.seq - 1];
    const openedAt = opened?.at ?? waitOf<Gate>(from, 'gate', gateId)?.openedAt ?? decidedAt;
    (decided ??= []).push({ gateId, unitId, openedAt, decidedAt, decidedSeq });
  }
  return decided;
}

/** Labels are written with a run's first event, and only if there are any. */
function labelsIn(first: RunEvent | undefined): AppendRequest['labels'] {
  if (first?.type !== 'run-started') return null;
  for (const name in first.labels) if (Object.hasOwn(first.labels, name)) return first.labels;
  return null;
}

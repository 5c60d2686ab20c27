import type { RunEvent } from '../../core/log/event.js';
import type { RunState } from '../../core/state/state.js';
import { isOver, openExecutionsOf, statusOf, wakeAtOf } from '../../core/state/status.js';
import { openGatesOf, type Gate } from '../../core/waits/gate.js';
import { waitOf } from '../../core/waits/wait-kind.js';
import type {
  AppendRequest,
  DecidedGate,
  IdempotencyRecord,
  OpenGate,
  RunRow,
  StoredState,
} from '../../ports/run-store.js';
import { concernsFamily } from '../children/family.js';

/**
 * What lists and sweeps see of a run. Held executions do not count as open: nothing is to be taken up there.
 * `isDueAtOnce`: whoever looks next takes it up.
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
    // Of an imported run that is a run of elsewhere, whatever has its id here.
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
  };
}

/** Whether other gates may be open after the event than before: only then they are written. */
function movesGates(event: RunEvent): boolean {
  switch (event.type) {
    case 'gate-opened':
    case 'gate-decided':
    case 'rewound':
    case 'run-completed':
    case 'run-failed':
    case 'run-cancelled':
      return true;
    case 'resumed':
      // A run that failed had none; tried again, it may still have those that were open when it failed.
      return event.pauseId === null;
    case 'branch-closed':
      // A branch that came to its end waits for nobody; one that failed may have taken open gates with it.
      return event.error !== null;
    default:
      return false;
  }
}

/** One append: the events, and what of the state lists and sweeps are to see. */
export function appendRequest(
  from: RunState,
  to: RunState,
  events: readonly RunEvent[],
  extra: {
    readonly storedState: StoredState | null;
    readonly idempotency: readonly IdempotencyRecord[];
    readonly startedFrom: AppendRequest['startedFrom'];
    /** A turn that was cut short goes on at once, in whichever process. */
    readonly isCutShort: boolean;
    /** By a process that does not own the run: should the owner never hear of it, the next look finds it due. */
    readonly isAside: boolean;
  },
): AppendRequest {
  const isDueAtOnce = extra.isCutShort || (extra.isAside && openExecutionsOf(to) > 0);
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

/** Null for the many appends of runs that have no gate. */
function gatesToWrite(from: RunState, to: RunState, events: readonly RunEvent[]): readonly OpenGate[] | null {
  if (!events.some(movesGates)) return null;
  const before = openGatesOf(from);
  const gates = isOver(to) ? [] : openGatesOf(to);
  if (before.length === 0 && gates.length === 0) return null;
  return gates.map(({ gateId, unitId, openedAt }) => ({ gateId, unitId, openedAt }));
}

/** Null for the many appends in which nobody decided. */
function decisionsIn(from: RunState, events: readonly RunEvent[]): readonly DecidedGate[] | null {
  let decided: DecidedGate[] | null = null;
  for (const event of events) {
    if (event.type !== 'gate-decided') continue;
    const { gateId, unitId, at: decidedAt, seq: decidedSeq } = event;
    // Opened by an earlier append, by this one, or anew by a rewind in this one, of which the event of its opening knows.
    const opened = events[gateId - from.seq - 1];
    const openedAt = opened?.at ?? waitOf<Gate>(from, 'gate', gateId)?.openedAt ?? decidedAt;
    (decided ??= []).push({ gateId, unitId, openedAt, decidedAt, decidedSeq });
  }
  return decided;
}

/** With the first event of a run, and only when there are any. */
function labelsIn(first: RunEvent | undefined): AppendRequest['labels'] {
  if (first?.type !== 'run-started') return null;
  for (const name in first.labels) if (Object.hasOwn(first.labels, name)) return first.labels;
  return null;
}

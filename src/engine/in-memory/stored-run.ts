import type { AppendRequest, StoredEvent, StoredState } from '../ports/store/append.js';
import type { DecidedGate, OpenGate } from '../ports/store/gates.js';
import type { LoadedRun } from '../ports/store/run-log.js';
import type { RunRow } from '../ports/store/run-row.js';

/** Older stored states only help rewinds, which can also fold the log. */
const KEPT_STATES = 3;

/** Further events are read page by page. */
const MAX_LOADED_EVENTS = 1_000;

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});
const NO_GATES: readonly OpenGate[] = Object.freeze([]);
const NO_STATES: readonly StoredState[] = Object.freeze([]);

/** One run's log: the events of its appends as they came, never copied and never changed. */
export class StoredRun {
  row: RunRow;
  lastSeq = 0;
  /** The position of its last append in the log of all runs. */
  lastPosition = 0;
  /** Whether it is registered among the runs with open executions, and among those that wake by themselves. */
  isExecuting = false;
  isWaking = false;
  /** Whether it is listed as a child of its parent, and counted at its root. */
  isChild = false;
  /** The run that its family began with; null: it is no child, or was imported. */
  rootRunId: string | null = null;
  /** How many of its appends are in the family log. */
  familyEntries = 0;
  /** Whether it was forgotten: its log entries are skipped, and dropped later. */
  isForgotten = false;
  /** Scope and key of the idempotency records that refer to this run. */
  idempotencyKeys: string[] | null = null;
  readonly labels: Readonly<Record<string, string>>;
  openGates = NO_GATES;
  /** The newest decision at each gate; null: there is none. */
  decidedGates: Map<number, DecidedGate> | null = null;
  /** How many stored runs are forks of it. */
  forks = 0;
  private appends: (readonly StoredEvent[])[] = [];
  private states = NO_STATES;

  constructor({ row, labels }: AppendRequest) {
    this.row = row;
    this.labels = labels === null ? NO_LABELS : Object.freeze({ ...labels });
  }

  get appendCount(): number {
    return this.appends.length;
  }

  /** Returns the events as they are kept. */
  append({
    events: given,
    row,
    storedState,
    openGates,
    decidedGates,
  }: AppendRequest): readonly StoredEvent[] {
    // A list that grew by appending has room for many more, which would be kept too.
    const events = given.slice();
    this.row = withIdentity(row, this.row);
    this.lastSeq += events.length;
    this.appends.push(events);
    if (storedState !== null) this.states = [...this.states, storedState].slice(-KEPT_STATES);
    if (row.endedAt !== null) this.openGates = NO_GATES;
    else if (openGates !== null) this.openGates = copyOf(openGates);
    if (decidedGates !== null) this.decide(decidedGates);
    return events;
  }

  private decide(gates: readonly DecidedGate[]): void {
    this.decidedGates ??= new Map();
    for (const gate of gates) this.decidedGates.set(gate.gateId, Object.freeze({ ...gate }));
  }

  /** Of a forgotten run only its row is needed, for its tombstone. */
  dropEvents(): void {
    this.appends = [];
    this.states = NO_STATES;
  }

  load(atSeq: number | null): LoadedRun {
    const until = Math.min(atSeq ?? this.lastSeq, this.lastSeq);
    const storedState = this.states.findLast(({ seq }) => seq <= until) ?? null;
    const after = storedState?.seq ?? 0;
    const limit = Math.min(until - after, MAX_LOADED_EVENTS);
    return { row: this.row, storedState, events: this.eventsAfter(after, limit) };
  }

  eventsAfter(afterSeq: number, limit: number): readonly StoredEvent[] {
    const found: StoredEvent[] = [];
    for (let index = this.firstAppendAfter(afterSeq); index < this.appends.length; index += 1) {
      for (const event of this.appends[index] ?? []) {
        if (found.length >= limit) return found;
        if (event.seq > afterSeq) found.push(event);
      }
    }
    return found;
  }

  private firstAppendAfter(seq: number): number {
    let low = 0;
    let high = this.appends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.appends[middle]?.at(-1)?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The identity of a run never changes; the row nearly always has it already. */
function withIdentity(row: RunRow, first: RunRow): RunRow {
  const { namespace, workflowId, definitionHash, createdAt, parentRunId, origin, forkedFrom } = first;
  if (
    row.parentRunId === parentRunId &&
    row.origin === origin &&
    row.forkedFrom === forkedFrom &&
    row.namespace === namespace &&
    row.workflowId === workflowId &&
    row.definitionHash === definitionHash &&
    row.createdAt === createdAt
  ) {
    return row;
  }
  return { ...row, namespace, workflowId, definitionHash, createdAt, parentRunId, origin, forkedFrom };
}

function copyOf(gates: readonly OpenGate[]): readonly OpenGate[] {
  return Object.freeze(gates.map((gate) => Object.freeze({ ...gate })).sort((a, b) => a.gateId - b.gateId));
}

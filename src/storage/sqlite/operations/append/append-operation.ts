import { StoreError } from '../../../../errors/service-errors.js';
import { compensationText } from '../../../../engine/ports/store/compensation-text.js';
import type { AppendRequest } from '../../../../engine/ports/store/append.js';
import type { RunRow } from '../../../../engine/ports/store/run-row.js';
import { REGISTERED, type RegisteredAs } from '../definitions/registrations.js';
import { STATE, type StateRow } from '../log/states.js';
import { ColumnList, type RowOf } from '../column-list.js';
import { APPEND, type FlatValue, type Operation, type OperationReader } from '../operation.js';
import { DECISION, decisionRow, type DecisionRow } from './decided-gates.js';
import { IDEMPOTENCY, type IdempotencyRow } from './idempotency.js';
import { LABEL, type LabelRow } from './labels.js';
import { GATE, gateRow, type GateRow } from './open-gates.js';

/** What never changes of a run: it is written with its first append. */
export const IDENTITY = new ColumnList({
  namespace: 'text',
  workflow_id: 'text',
  definition_hash: 'text',
  created_at: 'number',
  parent_run_id: 'text or null',
  origin: 'text',
  forked_from: 'text or null',
});
export const PROGRESS = new ColumnList({
  status: 'text',
  updated_at: 'number',
  ended_at: 'number or null',
  open_executions: 'number',
  wake_at: 'number or null',
  is_cancelled: 'number',
});
export const FIGURES = new ColumnList({
  tokens: 'number or null',
  cost: 'number or null',
  active_ms: 'number or null',
  active_since: 'number or null',
  compensation: 'text or null',
});
/** Some of the events of an append, as JSON. */
export const PIECE = new ColumnList({ last_seq: 'number', at: 'number', events: 'text' });

export type Identity = RowOf<typeof IDENTITY>;
type Piece = RowOf<typeof PIECE>;

/** An append as the writer performs it. */
export interface Append {
  readonly runId: string;
  readonly expectedSeq: number;
  readonly progress: RowOf<typeof PROGRESS>;
  readonly figures: RowOf<typeof FIGURES>;
  /** Null: not the run's first append. */
  readonly identity: Identity | null;
  readonly state: StateRow | null;
  readonly keys: readonly IdempotencyRow[];
  readonly lastPiece: Piece;
  readonly extras: Extras;
}

/** The parts that only few appends have. They stand at the end, so that the others pay nothing for them. */
interface Extras {
  readonly labels: readonly LabelRow[];
  /** Null: the same gates are open as before. */
  readonly gates: readonly GateRow[] | null;
  readonly decisions: readonly DecisionRow[];
  readonly startedFrom: RegisteredAs | null;
  readonly concernsFamily: boolean;
  /** The pieces of the log before the last one. */
  readonly earlierPieces: readonly Piece[];
}

const NO_EXTRAS: Extras = {
  labels: [],
  gates: null,
  decisions: [],
  startedFrom: null,
  concernsFamily: false,
  earlierPieces: [],
};

/** The sign before each of these parts. */
const LABELS = 1;
const OPEN_GATES = 2;
const STARTED_FROM = 3;
const CONCERNS_FAMILY = 4;
const DECIDED_GATES = 5;
const EARLIER_PIECES = 6;

/** The log of an import, which is appended at once, is kept in pieces, so that reading some of it reads no more. */
const PIECE_CHARS = 131_072;

/** Throws a permanent `StoreError` when the events make no JSON that V8 can hold. */
export function appendOperation(request: AppendRequest): Operation {
  const { runId, expectedSeq, row, storedState, idempotency } = request;
  const pieces = piecesOf(request);
  const operation: FlatValue[] = [APPEND, runId, expectedSeq, ...(pieces.at(-1) as Piece)];
  operation.push(...progressOf(row), ...figuresOf(row));
  if (expectedSeq === 0) operation.push(...identityOf(row));
  if (storedState === null) operation.push(null);
  else {
    const { seq, stateVersion, state } = storedState;
    operation.push(...STATE.row({ seq, state_version: stateVersion, state: jsonOf(state) }));
  }
  IDEMPOTENCY.addAll(
    operation,
    idempotency.map(({ runId: run_id, ...key }) => IDEMPOTENCY.row({ ...key, run_id })),
  );
  addExtras(operation, request, pieces.slice(0, -1));
  return operation;
}

/** Reads what `appendOperation` made. */
export function readAppendOperation(operation: OperationReader): Append {
  const runId = operation.text();
  const expectedSeq = operation.number();
  return {
    runId,
    expectedSeq,
    lastPiece: PIECE.read(operation),
    progress: PROGRESS.read(operation),
    figures: FIGURES.read(operation),
    identity: expectedSeq === 0 ? IDENTITY.read(operation) : null,
    state: operation.skipsNull() ? null : STATE.read(operation),
    keys: IDEMPOTENCY.readAll(operation),
    extras: operation.hasMore ? readExtras(operation) : NO_EXTRAS,
  };
}

function progressOf(row: RunRow): Append['progress'] {
  return PROGRESS.row({
    status: row.status,
    updated_at: row.updatedAt,
    ended_at: row.endedAt,
    open_executions: row.openExecutions,
    wake_at: row.wakeAt,
    is_cancelled: row.isCancelled ? 1 : 0,
  });
}

function figuresOf({ figures, compensation }: RunRow): Append['figures'] {
  return FIGURES.row({
    tokens: figures?.tokens ?? null,
    cost: figures?.cost ?? null,
    active_ms: figures?.activeMs ?? null,
    active_since: figures?.activeSince ?? null,
    compensation: compensationText(compensation),
  });
}

function identityOf(row: RunRow): Identity {
  return IDENTITY.row({
    namespace: row.namespace,
    workflow_id: row.workflowId,
    definition_hash: row.definitionHash,
    created_at: row.createdAt,
    parent_run_id: row.parentRunId,
    origin: row.origin,
    forked_from: row.forkedFrom,
  });
}

/** All events in one piece, except for a log that is imported. */
function piecesOf({ expectedSeq, events, row }: AppendRequest): readonly Piece[] {
  const lastSeq = expectedSeq + events.length;
  const at = events.at(-1)?.at ?? row.updatedAt;
  if (expectedSeq > 0 || row.origin !== 'import') {
    return [PIECE.row({ last_seq: lastSeq, at, events: jsonOf(events) })];
  }
  const pieces: Piece[] = [];
  let texts: string[] = [];
  let chars = 0;
  for (const event of events) {
    const text = jsonOf(event);
    texts.push(text);
    chars += text.length;
    if (chars < PIECE_CHARS && event.seq < lastSeq) continue;
    pieces.push(PIECE.row({ last_seq: event.seq, at: event.at, events: `[${texts.join(',')}]` }));
    texts = [];
    chars = 0;
  }
  return pieces;
}

function addExtras(operation: FlatValue[], request: AppendRequest, earlier: readonly Piece[]): void {
  const { row, labels, openGates, decidedGates, startedFrom } = request;
  if (labels !== null && request.expectedSeq === 0) {
    operation.push(LABELS);
    LABEL.addAll(
      operation,
      Object.entries(labels).map(([name, value]) => LABEL.row({ name, value })),
    );
  }
  if (openGates !== null) {
    operation.push(OPEN_GATES);
    GATE.addAll(operation, openGates.map(gateRow));
  }
  if (decidedGates !== null) {
    operation.push(DECIDED_GATES);
    DECISION.addAll(operation, decidedGates.map(decisionRow));
  }
  if (startedFrom !== null) {
    const { namespace, workflowId: workflow_id } = row;
    const { hash, opening } = startedFrom;
    operation.push(STARTED_FROM, ...REGISTERED.row({ namespace, workflow_id, hash, opening }));
  }
  if (request.concernsFamily) operation.push(CONCERNS_FAMILY);
  if (earlier.length > 0) {
    operation.push(EARLIER_PIECES);
    PIECE.addAll(operation, earlier);
  }
}

function readExtras(operation: OperationReader): Extras {
  let extras = NO_EXTRAS;
  while (operation.hasMore) {
    const part = operation.number();
    if (part === LABELS) extras = { ...extras, labels: LABEL.readAll(operation) };
    else if (part === OPEN_GATES) extras = { ...extras, gates: GATE.readAll(operation) };
    else if (part === DECIDED_GATES) extras = { ...extras, decisions: DECISION.readAll(operation) };
    else if (part === STARTED_FROM) extras = { ...extras, startedFrom: REGISTERED.read(operation) };
    else if (part === CONCERNS_FAMILY) extras = { ...extras, concernsFamily: true };
    else if (part === EARLIER_PIECES) extras = { ...extras, earlierPieces: PIECE.readAll(operation) };
    else throw new TypeError(`there is no part ${part} of an append`);
  }
  return extras;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new StoreError(
      'What the run would store at once is too large for one JSON text (about 512 MiB): ' +
        'let its units answer less, or keep the data elsewhere and answer a reference to it',
      { cause, permanent: true },
    );
  }
}

import { StoreError } from '../../../errors/service-errors.js';
import type { AppendRequest, IdempotencyRecord } from '../../../engine/ports/store/append.js';
import type { DecidedGate, OpenGate } from '../../../engine/ports/store/gates.js';
import type { RunRow } from '../../../engine/ports/store/run-row.js';
import { escaped } from '../database/escaped.js';
import { isRunId } from '../lists/run-ids.js';
import { MOST_ENTRIES } from '../log/positions.js';

/** Some of the events of an append, as JSON: a row of the log. */
export interface Piece {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Epoch ms, of the last event. */
  readonly at: number;
  readonly events: string;
}

/**
 * An append as it waits to be written: nothing of it is the caller's any more, but what nobody changes. Texts of callers and
 * authors are escaped, those of JSON are made.
 */
export interface Append {
  readonly runId: string;
  /** 0: the run's first append. */
  readonly expectedSeq: number;
  readonly lastSeq: number;
  readonly row: RunRow;
  /** All events in one piece, except for a log that is imported. */
  readonly pieces: readonly Piece[];
  readonly state: { readonly seq: number; readonly stateVersion: number; readonly text: string } | null;
  readonly keys: readonly IdempotencyRecord[];
  readonly labels: readonly (readonly [name: string, value: string])[];
  /** All that are open afterwards; null: the same as before. */
  readonly gates: readonly OpenGate[] | null;
  readonly decisions: readonly DecidedGate[];
  readonly startedFrom: AppendRequest['startedFrom'];
  readonly concernsFamily: boolean;
  /** Of its long texts. */
  readonly chars: number;
}

/** A longer append is a group by itself, so that no other waits for it there. */
const LARGE_CHARS = 1024 * 1024;
/** PostgreSQL takes no message of a gigabyte, and a character may be three bytes. */
const MOST_CHARS = 256 * 1024 * 1024;

/** The log of an import, which is appended at once, is kept in pieces, so that reading some of it reads no more. */
const PIECE_CHARS = 131_072;
/** Each piece has a position of the one transaction (`log/positions.ts`): beyond so many they are longer. */
const MOST_PIECES = MOST_ENTRIES - 100;

/**
 * Throws a permanent `StoreError` when the events make a JSON that is too long, and for ids that this store does not have.
 */
export function appendOf(request: AppendRequest): Append {
  const { runId, expectedSeq, row, storedState, idempotency, startedFrom, concernsFamily } = request;
  const isFirst = expectedSeq === 0;
  refuseOtherIds(request);
  refuseSameKeys(idempotency);
  const pieces = piecesOf(request);
  const state =
    storedState === null
      ? null
      : { seq: storedState.seq, stateVersion: storedState.stateVersion, text: jsonOf(storedState.state) };
  let chars = state?.text.length ?? 0;
  for (const { events } of pieces) {
    // The pieces of an import are written one by one.
    if (events.length + (state?.text.length ?? 0) > MOST_CHARS) throw tooLarge();
    chars += events.length;
  }
  return {
    runId,
    expectedSeq,
    lastSeq: expectedSeq + request.events.length,
    row,
    pieces,
    state,
    keys: idempotency.length === 0 ? NONE : idempotency.map(escapedKey),
    labels: isFirst && request.labels !== null ? escapedLabels(request.labels) : NONE,
    gates: gatesAfter(request),
    decisions: request.decidedGates === null ? NONE : newestDecisions(request.decidedGates),
    startedFrom: isFirst && startedFrom !== null ? { ...startedFrom } : null,
    concernsFamily,
    chars,
  };
}

export function isLarge({ chars }: Pick<Append, 'chars'>): boolean {
  return chars > LARGE_CHARS;
}

/** Whether it is the first append of an imported run. */
export function isImport({ expectedSeq, row }: Pick<AppendRequest, 'expectedSeq' | 'row'>): boolean {
  return expectedSeq === 0 && row.origin === 'import';
}

const NONE: readonly never[] = [];

function piecesOf(request: AppendRequest): readonly Piece[] {
  const { expectedSeq, events, row } = request;
  const lastSeq = expectedSeq + events.length;
  if (!isImport(request)) {
    const at = events.at(-1)?.at ?? row.updatedAt;
    return [{ firstSeq: expectedSeq + 1, lastSeq, at, events: jsonOf(events) }];
  }
  const all = events.map(jsonOf);
  const chars = all.reduce((sum, { length }) => sum + length, 0);
  const pieceChars = Math.max(PIECE_CHARS, Math.ceil(chars / MOST_PIECES));
  const pieces: Piece[] = [];
  let texts: string[] = [];
  let charsInPiece = 0;
  let firstSeq = 1;
  for (const [index, { seq, at }] of events.entries()) {
    const text = all[index] ?? '';
    texts.push(text);
    charsInPiece += text.length;
    if (charsInPiece < pieceChars && seq < lastSeq) continue;
    pieces.push({ firstSeq, lastSeq: seq, at, events: `[${texts.join(',')}]` });
    texts = [];
    charsInPiece = 0;
    firstSeq = seq + 1;
  }
  return pieces;
}

function refuseOtherIds({ runId, expectedSeq, row, idempotency }: AppendRequest): void {
  if (isRunId(runId)) {
    const { parentRunId, forkedFrom } = row;
    const others = expectedSeq === 0 ? [parentRunId, forkedFrom] : [];
    if (others.every((id) => id === null || isRunId(id)) && idempotency.every((key) => isRunId(key.runId)))
      return;
  }
  throw new StoreError(
    'Runs in PostgreSQL have UUIDs in lower case as ids, and so have the runs that they name: ' +
      'a run with another id can be imported where runs are kept in SQLite',
    { permanent: true },
  );
}

/** The database would refuse it as if another writer had used the key, and the writer would try again for ever. */
function refuseSameKeys(keys: readonly IdempotencyRecord[]): void {
  if (keys.length < 2) return;
  const names = new Set(keys.map(({ scope, key }) => `${scope}\n${key}`));
  if (names.size === keys.length) return;
  throw new StoreError(
    'An append names an idempotency key twice: report this with the version of the service',
    { permanent: true },
  );
}

function escapedKey({ scope, key, fingerprint, runId }: IdempotencyRecord): IdempotencyRecord {
  return { scope: escaped(scope), key: escaped(key), fingerprint: escaped(fingerprint), runId };
}

function escapedLabels(labels: Readonly<Record<string, string>>): Append['labels'] {
  return Object.entries(labels).map(([name, value]) => [escaped(name), escaped(value)]);
}

/** A run that has ended has none. */
function gatesAfter({ row, openGates }: AppendRequest): Append['gates'] {
  if (row.endedAt !== null) return NONE;
  if (openGates === null) return null;
  const byId = new Map<number, OpenGate>();
  for (const { gateId, unitId, openedAt } of openGates) {
    if (!byId.has(gateId)) byId.set(gateId, { gateId, unitId: escaped(unitId), openedAt });
  }
  return [...byId.values()];
}

/** A gate that was decided, opened again by a rewind and decided again is there once. */
function newestDecisions(decisions: readonly DecidedGate[]): readonly DecidedGate[] {
  const byId = new Map<number, DecidedGate>();
  for (const decision of decisions) {
    byId.set(decision.gateId, { ...decision, unitId: escaped(decision.unitId) });
  }
  return [...byId.values()];
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw tooLarge(cause);
  }
}

function tooLarge(cause?: unknown): StoreError {
  return new StoreError(
    'What the run would store at once is too large for one message to the database (256 MiB): ' +
      'let its units answer less, or keep the data elsewhere and answer a reference to it',
    { cause, permanent: true },
  );
}

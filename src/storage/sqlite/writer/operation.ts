import { StoreError } from '../../../errors/service-errors.js';
import type { AppendRequest } from '../../../engine/ports/store/append.js';
import type { StoredDefinition } from '../../../engine/ports/store/definition-store.js';
import type { DecidedGate, OpenGate } from '../../../engine/ports/store/gates.js';

/** Operations cross to the writer as flat values: that costs a fraction of what objects cost to clone. */
export type FlatValue = string | number | null;

export type Operation = readonly FlatValue[];

/** The first value of an operation, which says its kind. */
export const APPEND = 1;
export const SAVE_DEFINITION = 2;
export const WRITE_CURSOR = 3;
export const PURGE_ENDED = 4;
/** Writes without a change, to see whether the disk takes it. */
export const PROBE = 5;
export const REGISTER = 6;
export const DROP_TOMBSTONES = 7;
export const INDEX_RUN = 8;
export const REMOVE_DEFINITIONS = 9;
export const DROP_FAMILY_LOG = 10;
export const KEEP_DEFINITION = 12;

/** The signs of the parts that only few appends have. They stand at the end, so that the others pay nothing for them. */
export const LABELS = 1;
export const OPEN_GATES = 2;
export const STARTED_FROM = 3;
export const CONCERNS_FAMILY = 4;
export const DECIDED_GATES = 5;
export const EARLIER_EVENTS = 6;

/** The log of an import, which is appended at once, is kept in pieces, so that reading some of it reads no more. */
const PIECE_CHARS = 131_072;

/** Some of the events of an append, as JSON. */
interface EventsPiece {
  readonly lastSeq: number;
  readonly at: number;
  readonly text: string;
}

/** Throws a permanent `StoreError` when the events make no JSON that V8 can hold. */
export function appendOperation(request: AppendRequest): Operation {
  const { runId, expectedSeq, row, storedState, idempotency } = request;
  const pieces = piecesOf(request);
  const { lastSeq, at, text } = pieces.at(-1) as EventsPiece;
  const operation: FlatValue[] = [
    APPEND,
    runId,
    expectedSeq,
    lastSeq,
    at,
    text,
    row.status,
    row.updatedAt,
    row.endedAt,
    row.openExecutions,
    row.wakeAt,
    row.isCancelled ? 1 : 0,
    row.figures?.tokens ?? null,
    row.figures?.cost ?? null,
    row.figures?.activeMs ?? null,
    row.figures?.activeSince ?? null,
  ];
  if (expectedSeq === 0) {
    const { namespace, workflowId, definitionHash, createdAt, parentRunId, origin, forkedFrom } = row;
    operation.push(namespace, workflowId, definitionHash, createdAt, parentRunId, origin, forkedFrom);
  }
  if (storedState === null) operation.push(null);
  else operation.push(storedState.seq, storedState.stateVersion, jsonOf(storedState.state));
  operation.push(idempotency.length);
  for (const { scope, key, fingerprint, runId: keyRunId } of idempotency) {
    operation.push(scope, key, fingerprint, keyRunId);
  }
  addExtras(operation, request);
  if (pieces.length > 1) operation.push(EARLIER_EVENTS, ...earlierValues(pieces.slice(0, -1)));
  return operation;
}

/** All events in one piece, except for a log that is imported. */
function piecesOf({ expectedSeq, events, row }: AppendRequest): readonly EventsPiece[] {
  const lastSeq = expectedSeq + events.length;
  const at = events.at(-1)?.at ?? row.updatedAt;
  if (expectedSeq > 0 || row.origin !== 'import') return [{ lastSeq, at, text: jsonOf(events) }];
  const pieces: EventsPiece[] = [];
  let texts: string[] = [];
  let chars = 0;
  for (const event of events) {
    const text = jsonOf(event);
    texts.push(text);
    chars += text.length;
    if (chars < PIECE_CHARS && event.seq < lastSeq) continue;
    pieces.push({ lastSeq: event.seq, at: event.at, text: `[${texts.join(',')}]` });
    texts = [];
    chars = 0;
  }
  return pieces;
}

function earlierValues(pieces: readonly EventsPiece[]): readonly FlatValue[] {
  return [pieces.length, ...pieces.flatMap(({ lastSeq, at, text }) => [lastSeq, at, text])];
}

function addExtras(operation: FlatValue[], request: AppendRequest): void {
  const { row, labels, openGates, decidedGates, startedFrom } = request;
  if (labels !== null && request.expectedSeq === 0) {
    const entries = Object.entries(labels);
    operation.push(LABELS, entries.length, ...entries.flat());
  }
  if (openGates !== null) operation.push(OPEN_GATES, ...gateValues(openGates));
  if (decidedGates !== null) operation.push(DECIDED_GATES, ...decisionValues(decidedGates));
  if (startedFrom !== null) {
    const { hash, opening: bootId } = startedFrom;
    operation.push(STARTED_FROM, row.namespace, row.workflowId, hash, bootId);
  }
  if (request.concernsFamily) operation.push(CONCERNS_FAMILY);
}

function gateValues(gates: readonly OpenGate[]): readonly FlatValue[] {
  return [gates.length, ...gates.flatMap(({ gateId, unitId, openedAt }) => [gateId, unitId, openedAt])];
}

function decisionValues(gates: readonly DecidedGate[]): readonly FlatValue[] {
  const values = gates.flatMap(({ gateId, unitId, openedAt, decidedAt, decidedSeq }) => [
    gateId,
    unitId,
    openedAt,
    decidedAt,
    decidedSeq,
  ]);
  return [gates.length, ...values];
}

export function saveDefinitionOperation(
  definition: StoredDefinition & { readonly unlessKept?: true },
): Operation {
  const kind = definition.unlessKept === true ? KEEP_DEFINITION : SAVE_DEFINITION;
  return [kind, ...definitionValues(definition)];
}

export function registerOperation(definition: StoredDefinition, bootId: string): Operation {
  return [REGISTER, ...definitionValues(definition), bootId];
}

function definitionValues(definition: StoredDefinition): readonly FlatValue[] {
  const { namespace, hash, workflowId, yaml, bindings, plan, registeredAt } = definition;
  return [namespace, hash, workflowId, yaml, JSON.stringify(bindings), plan, registeredAt];
}

/** A definition as it was when it was found without a registration. */
export interface UnregisteredDefinition {
  readonly namespace: string;
  readonly hash: string;
  readonly registeredAt: number;
}

export function removeDefinitionsOperation(
  position: number,
  bootId: string | null,
  definitions: readonly UnregisteredDefinition[],
): Operation {
  const values = definitions.flatMap(({ namespace, hash, registeredAt }) => [namespace, hash, registeredAt]);
  return [REMOVE_DEFINITIONS, position, bootId, ...values];
}

export function indexRunOperation(runId: string, openGates: readonly OpenGate[]): Operation {
  return [INDEX_RUN, runId, ...gateValues(openGates)];
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

/** The size of an operation or of a group, as far as it matters: its texts. */
export function charsIn(values: readonly FlatValue[]): number {
  let chars = 0;
  for (const value of values) if (typeof value === 'string') chars += value.length;
  return chars;
}

/** Adds an operation to the group, after its length. */
export function addToGroup(group: FlatValue[], operation: Operation): void {
  group.push(operation.length);
  for (const value of operation) group.push(value);
}

/** Reads a group value by value, in the order in which its operations were made. */
export class OperationReader {
  private index = 0;
  private end = 0;

  constructor(private readonly values: readonly FlatValue[]) {}

  get isAtEnd(): boolean {
    return this.index >= this.values.length;
  }

  /** Reads an operation's length; returns where it ends. */
  endOfOperation(): number {
    const length = this.number();
    this.end = this.index + length;
    return this.end;
  }

  /** Whether anything of the operation is unread. */
  get hasMore(): boolean {
    return this.index < this.end;
  }

  /** Skips what a refused or failed operation left unread. */
  goTo(index: number): void {
    this.index = index;
  }

  text(): string {
    const value = this.values[this.index++];
    if (typeof value === 'string') return value;
    throw new TypeError(`value ${this.index} of the group is no text`);
  }

  textOrNull(): string | null {
    if (this.values[this.index] !== null) return this.text();
    this.index += 1;
    return null;
  }

  number(): number {
    const value = this.values[this.index++];
    if (typeof value === 'number') return value;
    throw new TypeError(`value ${this.index} of the group is no number`);
  }

  numberOrNull(): number | null {
    if (this.values[this.index] !== null) return this.number();
    this.index += 1;
    return null;
  }
}

import type { AppendRequest, StoredDefinition } from '../../../engine/ports/run-store.js';

/** Operations cross to the writer as flat values: that costs a fraction of what objects cost to clone. */
export type FlatValue = string | number | null;

export type Operation = readonly FlatValue[];

/** The first value of an operation. */
export const APPEND = 1;
export const SAVE_DEFINITION = 2;
export const WRITE_CURSOR = 3;
export const PURGE_ENDED = 4;
/** Writes without a change, to see whether the disk takes it. */
export const PROBE = 5;

export function appendOperation(request: AppendRequest): Operation {
  const { runId, expectedSeq, events, row, storedState, idempotency } = request;
  const operation: FlatValue[] = [
    APPEND,
    runId,
    expectedSeq,
    expectedSeq + events.length,
    events.at(-1)?.at ?? row.updatedAt,
    JSON.stringify(events),
    row.workflowId,
    row.definitionHash,
    row.createdAt,
    row.status,
    row.updatedAt,
    row.endedAt,
    row.openExecutions,
    row.wakeAt,
  ];
  if (storedState === null) operation.push(null);
  else operation.push(storedState.seq, storedState.stateVersion, JSON.stringify(storedState.state));
  operation.push(idempotency.length);
  for (const { scope, key, fingerprint, runId: keyRunId } of idempotency) {
    operation.push(scope, key, fingerprint, keyRunId);
  }
  return operation;
}

export function saveDefinitionOperation(definition: StoredDefinition): Operation {
  const { hash, workflowId, yaml, bindings, registeredAt } = definition;
  return [SAVE_DEFINITION, hash, workflowId, yaml, JSON.stringify(bindings), registeredAt];
}

/** The size of an operation or of a group, as far as it matters: its texts. */
export function charsIn(values: readonly FlatValue[]): number {
  let chars = 0;
  for (const value of values) if (typeof value === 'string') chars += value.length;
  return chars;
}

/** A group: each operation after its length. */
export function addToGroup(group: FlatValue[], operation: Operation): void {
  group.push(operation.length);
  for (const value of operation) group.push(value);
}

/** Reads a group value by value, in the order in which its operations were made. */
export class OperationReader {
  private index = 0;

  constructor(private readonly values: readonly FlatValue[]) {}

  get isAtEnd(): boolean {
    return this.index >= this.values.length;
  }

  /** Reads an operation's length; answers where it ends. */
  endOfOperation(): number {
    const length = this.number();
    return this.index + length;
  }

  /** Passes over what a refused or failed operation left unread. */
  goTo(index: number): void {
    this.index = index;
  }

  text(): string {
    const value = this.values[this.index++];
    if (typeof value === 'string') return value;
    throw new TypeError(`value ${this.index} of the group is no text`);
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

/** Operations cross to the writer as flat values: that costs a fraction of what objects cost to clone. */
export type FlatValue = string | number | null;

export type Operation = readonly FlatValue[];

/** The first value of an operation, which says its kind. The file that performs an operation also makes it. */
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
export const UNREGISTER = 13;
export const PUT_KEY = 14;
export const ROTATE_KEY = 15;
export const REVOKE_KEY = 16;
export const MARK_KEYS_USED = 17;
export const REVOKE_OWNER = 18;
export const RECORD_ACTS = 19;
export const RECORD_ACTS_UNLESS_LAST = 20;
export const REMOVE_ACTS = 21;

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

  /** The next values, whatever they are; fewer where the group ends. */
  take(count: number): readonly FlatValue[] {
    const first = this.index;
    this.index += count;
    return this.values.slice(first, this.index);
  }

  /** Reads a null, if that is what comes next. */
  skipsNull(): boolean {
    if (this.values[this.index] !== null) return false;
    this.index += 1;
    return true;
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
}

/** What a parameter of a statement may be. Arrays become arrays of PostgreSQL. */
export type SqlValue =
  string | number | boolean | null | Uint8Array | readonly (string | number | boolean | null)[];

/** A row as it was read: eight-byte integers are numbers, `uuid` is text. */
export type Columns = Readonly<Record<string, unknown>>;

/**
 * Performs one statement. `@.` before a name stands for the schema that the tables are in: `SELECT 1 FROM @.runs`. The text is
 * a constant: whatever differs from call to call is a value. `withinMs`: how long the answer is waited for, where that is other than
 * usual.
 */
export type Query = (
  sql: string,
  values?: readonly SqlValue[],
  withinMs?: number,
) => Promise<readonly Columns[]>;

/**
 * The connections of one replica, at most eight. Every rejection is a `StoreError` that says what to do, never with the password;
 * one that is not `permanent` may have been carried out or not.
 */
export interface Database {
  /** A statement that reads, or writes by itself alone, on any connection. */
  readonly query: Query;
  /** All or nothing, at READ COMMITTED: each statement sees what was committed before it. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Reads what was committed at one instant, and writes nothing. */
  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Which log positions are safe to read, and how to make them: see `log/positions.ts`. */
  readonly base: number;
}

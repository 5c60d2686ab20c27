/** One step of the schema. A released one is never changed, and none rewrites a table. */
export interface Migration {
  /** The schema version after this step; they count from 1 without gaps. */
  readonly version: number;
  /** Statements, separated by semicolons; `@.` before a name stands for the schema. */
  readonly sql: string;
}

/** One step of the schema. A released one is never changed. */
export interface Migration {
  /** The schema version after this step; they count from 1 without gaps. */
  readonly version: number;
  readonly sql: string;
}

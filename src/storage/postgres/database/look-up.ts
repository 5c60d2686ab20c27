/**
 * Whether there is such a row, as SQL: `from` is what comes after FROM, with a condition that an index has. It is the value of a
 * subquery, and no EXISTS: of that PostgreSQL may make one look at the whole table, which is a good plan where the statement was
 * planned while the table was empty, and is kept for as long as nobody has analyzed the table since.
 */
export function hasRow(from: string): string {
  return `(SELECT true FROM ${from} LIMIT 1) IS NOT NULL`;
}

/** Whether that run is stored. `runId`: SQL. */
export function isStored(runId: string): string {
  return hasRow(`@.runs AS stored WHERE stored.run_id = ${runId}`);
}

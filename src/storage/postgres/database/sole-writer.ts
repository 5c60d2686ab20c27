/**
 * The statement after which a transaction is alone in writing to a table until its end, over all replicas. Whoever reads is not held
 * up, nor is whoever writes without it.
 *
 * It is a lock of ours, and not one of the table that excludes others of its kind: VACUUM holds one that those conflict with, as long
 * as it takes. The table's is that of every write, which DELETE takes and which VACUUM leaves alone. Replicas of builds that lock the
 * table itself (SHARE ROW EXCLUSIVE, before 0.2.0) wait for that, and are waited for.
 */
export function soleWriterOf(table: 'access_keys' | 'audit' | 'registrations'): string {
  return `
    WITH nothing AS (DELETE FROM @.${table} WHERE false)
    SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('flowgate ${table} @.', 0)) AS locked`;
}

import { booleanOf, textOf } from './columns.js';
import type { Query } from './database.js';
import { DatabaseAwayError } from './postgres-fault.js';

/** Made by initdb: a standby has that of its primary, a server that a dump was restored on has another. */
export const IDENTIFIER_OF_SERVER =
  'SELECT system_identifier::text AS identifier FROM pg_catalog.pg_control_system()';

/** Whether it follows another server: what it has may be older than what was acknowledged. */
export const IS_STANDBY = 'SELECT pg_catalog.pg_is_in_recovery() AS is_standby';

/** Where the function is missing, or this role may not call it, the second statement would be refused. */
const MAY_ASK = `
  SELECT coalesce(
    pg_catalog.has_function_privilege(pg_catalog.to_regprocedure('pg_catalog.pg_control_system()')::oid, 'EXECUTE'),
    false
  ) AS may_ask`;

/** Null: the server does not say, which some platforms keep to themselves. */
export async function readServerIdentifier(query: Query): Promise<string | null> {
  try {
    const [rights = {}] = await query(MAY_ASK);
    if (!booleanOf(rights, 'may_ask')) return null;
    const [server = {}] = await query(IDENTIFIER_OF_SERVER);
    return textOf(server, 'identifier');
  } catch (error) {
    if (error instanceof DatabaseAwayError) throw error;
    return null;
  }
}

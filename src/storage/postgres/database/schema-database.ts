import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from '../../../errors/service-errors.js';
import { booleanOf } from './columns.js';
import type { Query } from './database.js';
import { sqlStateOf } from './postgres-fault.js';

/** Performs statements that are separated by semicolons, without values: what changes the schema. `@.` as in a `Query`. */
export type Script = (sql: string) => Promise<void>;

/** A database whose schema is changed; which positions its log has, nobody needs to know for that. */
export interface SchemaDatabase {
  readonly query: Query;
  /** All or nothing, at READ COMMITTED. */
  transaction<T>(work: (query: Query, script: Script) => Promise<T>): Promise<T>;
}

/** Others hold locks that a change of the schema needs. */
export class SchemaBusyError extends StoreError {
  constructor(cause: unknown) {
    super(
      'The schema of the store is in use by a long query, a dump or another replica that changes it: try again once that is over',
      { cause },
    );
  }
}

/**
 * A change waits this long for a lock, because everybody else waits behind it meanwhile. No statement of a change may take
 * long once it has the lock, unless the lock lets appends pass.
 */
const LOCK_TIMEOUT_MS = 100;
const PAUSE_MS = 200;

/** One for the whole schema: the key is its name, since a schema that is being made has no oid yet. */
const TAKE_TURN = `
  SELECT pg_catalog.pg_try_advisory_xact_lock(pg_catalog.hashtextextended('flowgate schema @.', 0)) AS is_free`;

const LIMITS = `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = 0`;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** For how long a change is tried where others are in the way. */
export interface Patience {
  readonly patienceMs: number;
  /** Ends the tries; null: nothing does. */
  readonly signal: AbortSignal | null;
}

/**
 * Changes the schema in one transaction, while no other replica changes it. Where somebody holds a lock that it needs, it
 * lets the others pass and tries again, for `patienceMs`, or until the signal fires; then it rejects with a `SchemaBusyError`.
 */
export async function changeSchema<T>(
  database: SchemaDatabase,
  { patienceMs, signal }: Patience,
  change: (query: Query, script: Script) => Promise<T>,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await database.transaction(async (query, script) => {
        await script(LIMITS);
        const [turn = {}] = await query(TAKE_TURN);
        if (!booleanOf(turn, 'is_free')) throw new SchemaBusyError('another replica changes the schema');
        return change(query, script);
      });
    } catch (error) {
      const cause = busyCauseOf(error);
      if (cause === null) throw error;
      if (performance.now() >= until || signal?.aborted === true) throw new SchemaBusyError(cause);
    }
    await pause(PAUSE_MS * (1 + Math.random()), signal);
  }
}

/** Ends early when the signal fires: the next try is the last. */
async function pause(ms: number, signal: AbortSignal | null): Promise<void> {
  await delay(ms, undefined, signal === null ? {} : { signal }).catch(() => undefined);
}

/** Null: nobody was in the way. */
function busyCauseOf(error: unknown): unknown {
  if (error instanceof SchemaBusyError) return error.cause;
  const code = sqlStateOf(error);
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK ? error : null;
}

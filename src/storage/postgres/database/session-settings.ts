/** `verified`: the server's settings must say that a commit outlives a crash. `elsewhere`: the platform sees to that. */
export type Durability = 'verified' | 'elsewhere';

/** The server ends a statement that takes longer. Lists are bounded by rows, sweeps by their limits. */
export const STATEMENT_TIMEOUT_MS = 10_000;
/** Longer than the server's own, so that it is the server that gives up while it answers at all. */
export const QUERY_TIMEOUT_MS = 12_000;
const LOCK_TIMEOUT_MS = 8_000;
/** A replica that stands still in a transaction holds up nobody for longer. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** The session that holds a replica's shards ends by itself when the replica says nothing. */
export const IDLE_SESSION_MS = 2_500;
/** What the replica waits for an answer in that session. */
export const SESSION_QUERY_TIMEOUT_MS = 2_000;

/** What differs by role, database or server, and what we rest on. No right is needed for any of them. */
const OF_EVERY_SESSION: Readonly<Record<string, string>> = {
  search_path: '',
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  // Floating-point numbers come back as the same number.
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: String(LOCK_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
  // Compiling a plan takes longer than any of ours runs.
  jit: 'off',
  plan_cache_mode: 'auto',
  // A plan that is made while tables are empty is kept until they are analyzed, which may be after a minute, or never. Whatever is
  // asked of a table of runs has an index: no plan reads all of one.
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  // Nor is the next page of a log all that comes after it, sorted: what was appended since the table was analyzed last is, for the
  // planner, a handful of rows. Each index that is read has the order that is asked for; only search has need of bitmaps.
  enable_bitmapscan: 'off',
  client_min_messages: 'warning',
};

/** Since PostgreSQL 17; a role may have it set. */
const TRANSACTION_TIMEOUT = `
  CASE WHEN pg_catalog.current_setting('transaction_timeout', true) IS NOT NULL
    THEN pg_catalog.set_config('transaction_timeout', '0', false) END`;

/** Stronger ones than `on`, and `local`, are the operator's to choose. */
const DURABLE_COMMIT = `
  CASE WHEN pg_catalog.current_setting('synchronous_commit') = 'off'
    THEN pg_catalog.set_config('synchronous_commit', 'on', false) END`;

export interface SessionKind {
  readonly durability: Durability;
  /** 0: it may be idle for ever. */
  readonly idleSessionMs: number;
  /** Whether all of its statements have one plan whatever their values are, as those of appends and marks, which look up by ids. */
  readonly hasPlansForAllValues: boolean;
}

/** One statement that gives a new session its settings. */
export function sessionSettings({ durability, idleSessionMs, hasPlansForAllValues }: SessionKind): string {
  const settings = {
    ...OF_EVERY_SESSION,
    // By its own estimate the server may plan a large statement anew each time, which takes as long as to perform it for 32 appends.
    ...(hasPlansForAllValues ? { plan_cache_mode: 'force_generic_plan' } : {}),
    idle_session_timeout: String(idleSessionMs),
  };
  const own = Object.entries(settings).map(
    ([name, value]) => `pg_catalog.set_config('${name}', '${value}', false)`,
  );
  const others = durability === 'verified' ? [TRANSACTION_TIMEOUT, DURABLE_COMMIT] : [TRANSACTION_TIMEOUT];
  return `SELECT ${[...own, ...others].join(', ')}`;
}

/** How transactions begin. */
export interface TransactionBegins {
  readonly readWrite: string;
  readonly snapshot: string;
}

/**
 * Behind a pooler that swaps sessions no setting lasts, and would be given to other programs: there each transaction has the ones
 * that matter for itself.
 */
export function transactionBegins(isPooled: boolean): TransactionBegins {
  const own = isPooled
    ? Object.entries(OF_EVERY_SESSION)
        .filter(([name]) => !name.startsWith('default_transaction_'))
        .map(([name, value]) => `; SET LOCAL ${name} = '${value}'`)
        .join('')
    : '';
  return {
    readWrite: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE${own}`,
    snapshot: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY${own}`,
  };
}

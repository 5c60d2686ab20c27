/**
 * What the driver and the watch say to the database. The first key of each lock is `DriverDatabase.lockSpace`, the second is one of
 * `lock-keys.ts`. Lists of numbers are answered as text, whatever the connection makes of arrays.
 */

/**
 * Begins the session of a replica. A session that says nothing for longer than beats take is ended by the server, and what it
 * holds is free: also where neither end hears of the other any more. Values: the space, `PRESENCE_KEY`, the key of this build's revision.
 */
export const BEGIN_SESSION = `
  SELECT set_config('idle_session_timeout', '2500', false) AS idle,
         set_config('statement_timeout', '2000', false) AS statement,
         pg_try_advisory_lock_shared($1::int, $2::int) AND pg_try_advisory_lock_shared($1::int, $3::int) AS is_present`;

/**
 * One look at who is there and who holds what, and at the clock. Values: the space without a sign, the revision of this build,
 * `PRESENCE_KEY`, the key of that revision, the end of those. `barred`: shards that a newer build may have written to. `peers`: the
 * replicas of this build and of newer ones, which may take what is barred for older ones.
 */
export const BEAT = `
  WITH held AS MATERIALIZED (
    SELECT objid::bigint AS key, pid
    FROM pg_catalog.pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND classid = $1::bigint::oid
      AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
  )
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS database_ms,
         (SELECT count(*)::int FROM held WHERE key = $3::int) AS replicas,
         (SELECT count(*)::int FROM held WHERE key >= $4::int AND key < $5::int) AS peers,
         (SELECT coalesce(string_agg(key::text, ','), '') FROM held WHERE pid = pg_backend_pid()) AS own,
         (SELECT coalesce(string_agg(key::text, ','), '') FROM held WHERE pid <> pg_backend_pid()) AS others,
         (SELECT coalesce(string_agg(shard::text, ','), '') FROM @.shards WHERE revision > $2::int) AS barred`;

/** Values: the space, keys. */
export const TRY_LOCKS = `
  SELECT key, pg_try_advisory_lock($1::int, key) AS is_held FROM unnest($2::int[]) AS key`;

/** Notifies the others in the same transaction, that is, afterwards. Values: the space, keys, a channel, a text. */
export const UNLOCK = `
  SELECT pg_advisory_unlock($1::int, key) AS is_freed, pg_notify($3, $4) AS notified FROM unnest($2::int[]) AS key`;

/** Notifies nobody: what was taken in vain, others need not try at once. Values: the space, keys. */
export const UNLOCK_QUIETLY =
  'SELECT pg_advisory_unlock($1::int, key) AS is_freed FROM unnest($2::int[]) AS key';

/** Is not counted any more. Values: the space, `PRESENCE_KEY`, the key of this build's revision. */
export const LEAVE = `
  SELECT pg_advisory_unlock_shared($1::int, $2::int) AS is_freed, pg_advisory_unlock_shared($1::int, $3::int) AS is_freed_too`;

/**
 * Marks shards whose locks are held as in use, and answers how they were left. A shard that a newer build noted is left out. Its own
 * statement, after the locks: it sees what their last owners wrote. Values: shards, the revision of this build.
 */
export const MARK_IN_USE = `
  WITH wanted AS MATERIALIZED (
    SELECT w.shard, coalesce(s.is_clean, false) AS was_clean
    FROM unnest($1::int[]) AS w (shard) LEFT JOIN @.shards AS s ON s.shard = w.shard
    WHERE coalesce(s.revision, 0) <= $2::int
  ), marked AS (
    INSERT INTO @.shards AS s (shard, is_clean, revision)
    SELECT shard, false, $2::int FROM wanted
    ON CONFLICT (shard) DO UPDATE SET is_clean = false, revision = greatest(s.revision, excluded.revision)
    RETURNING s.shard
  )
  SELECT wanted.shard, wanted.was_clean FROM wanted JOIN marked ON marked.shard = wanted.shard`;

/** Values: shards whose locks are still held, the revision of this build. */
export const NOTE_CLEAN = `
  UPDATE @.shards SET is_clean = true, revision = greatest(revision, $2::int) WHERE shard = ANY ($1::int[])`;

/** Values: JSON, a list of { channel, payload }. Notifications that are the same are one. */
export const NOTIFY = `
  SELECT pg_notify(n.channel, n.payload) AS notified FROM json_to_recordset($1::json) AS n (channel text, payload text)`;

/** Values: ids of runs, separated by commas. */
export const LAST_SEQS = `
  SELECT run_id, last_seq FROM @.runs WHERE run_id = ANY (string_to_array($1, ',')::uuid[])`;

/** A script: LISTEN takes no values, and the names are those of `channels.ts`. */
export function listenTo(channels: readonly string[]): string {
  return channels.map((channel) => `LISTEN ${channel}`).join('; ');
}

export function unlistenTo(channels: readonly string[]): string {
  return channels.map((channel) => `UNLISTEN ${channel}`).join('; ');
}

import type { CommitLog } from '../../../engine/ports/store/commit-log.js';
import { booleanOf, numberOf, textOf, textOrNull } from '../database/columns.js';
import type { Columns, Database, Query } from '../database/database.js';
import { hasRow } from '../database/look-up.js';
import { MOST_ENTRIES, positionSql } from '../log/positions.js';
import { purgeOrder, withoutKept } from './purge-order.js';

export type PurgeEndedRequest = Parameters<CommitLog['purgeEnded']>[0];

/** Runs that one transaction deletes at most: followers wait for it, and each has a tombstone. */
const MOST_PURGED_AT_ONCE = MOST_ENTRIES;

/** Whether the run `ended` may be purged. `through`: placeholder of the position, `gone`: that of runs that go as well. */
const mayGo = (through: string, gone: string): string => `
  NOT ${hasRow('@.family_log AS f WHERE f.run_id = ended.run_id')}
  AND NOT ${hasRow(`@.runs AS fork WHERE fork.forked_from = ended.run_id AND fork.run_id <> ALL (${gone}::uuid[])`)}
  AND (${through}::bigint IS NULL OR ended.last_position <= ${through}::bigint)`;

/** The runs that ended before the instant, after a cursor in their order. It locks none: some must stay, maybe most. */
const CANDIDATES = `
  SELECT ended.run_id, ended.ended_at, (${mayGo('$2', '$6')}) AS may_go FROM @.runs AS ended
  WHERE ended.ended_at IS NOT NULL AND ended.ended_at < $1::bigint
    AND (ended.ended_at, ended.run_id) > ($3::bigint, $4::uuid)
  ORDER BY ended.ended_at, ended.run_id LIMIT $5::bigint`;

/**
 * Who makes a fork, or appends, has the row locked until that is committed: such a run is left out, and stays. What they begin after
 * this waits, and then finds no run.
 */
const LOCK = `
  SELECT run_id FROM @.runs WHERE run_id = ANY ($1::uuid[]) ORDER BY run_id FOR UPDATE SKIP LOCKED`;

/**
 * The runs, and those that only they may keep: the ones that they were forks of, and so on, as far as these have ended. It is read
 * before anything is locked: followers wait for the transaction in which that is. Each is looked up by its id (OFFSET 0): joined, all
 * that have ended may be read for it.
 */
const CHAIN = `
  WITH RECURSIVE chain (run_id) AS (
    SELECT unnest($1::uuid[])
    UNION
    SELECT source.run_id FROM chain
      CROSS JOIN LATERAL (SELECT r.forked_from FROM @.runs AS r WHERE r.run_id = chain.run_id OFFSET 0) AS fork
      CROSS JOIN LATERAL (
        SELECT r.run_id, r.ended_at, r.last_position FROM @.runs AS r WHERE r.run_id = fork.forked_from OFFSET 0
      ) AS source
    WHERE source.ended_at < $2::bigint AND ($3::bigint IS NULL OR source.last_position <= $3::bigint)
  )
  SELECT chain.run_id FROM chain LIMIT $4::bigint`;

/**
 * Its own statement, after the locks: it sees every fork, append and entry of families that was committed before them. `may_go`: if
 * all the others that were locked go.
 */
const JUDGE = `
  SELECT ended.run_id, ended.forked_from,
    coalesce(ended.ended_at < $2::bigint, false) AND ${mayGo('$3', '$1')} AS may_go
  FROM @.runs AS ended WHERE ended.run_id = ANY ($1::uuid[])
  ORDER BY ended.ended_at, ended.run_id`;

/**
 * All that is kept of the runs by their ids, and a tombstone for each, in the order of the array. Rows in `log` and `states` stay:
 * without a row in `runs` they are nobody's, and go with their week. Runs are found by ANY: joined, a plan that was made while the table
 * was small may read all of it.
 */
const DELETE = `
  WITH deleted AS (
    DELETE FROM @.runs WHERE run_id = ANY ($2::uuid[]) RETURNING run_id, namespace, workflow_id
  ), keys AS (
    DELETE FROM @.idempotency WHERE run_id = ANY ($2::uuid[])
  ), labels AS (
    DELETE FROM @.run_labels WHERE run_id = ANY ($2::uuid[])
  ), gates AS (
    DELETE FROM @.open_gates WHERE run_id = ANY ($2::uuid[])
  ), decisions AS (
    DELETE FROM @.decided_gates WHERE run_id = ANY ($2::uuid[])
  )
  INSERT INTO @.tombstones (position, run_id, namespace, workflow_id)
  SELECT ${positionSql('$1', 'chosen.place')}, deleted.run_id, deleted.namespace, deleted.workflow_id
  FROM deleted JOIN unnest($2::uuid[]) WITH ORDINALITY AS chosen (run_id, place) ON deleted.run_id = chosen.run_id`;

/** A cursor in the order in which runs ended. */
export interface PurgeCursor {
  readonly endedAt: number;
  readonly runId: string;
}

/** A piece of a purge: the runs that ended before the instant, after a cursor. */
export interface PurgePiece extends PurgeEndedRequest {
  readonly after: PurgeCursor;
  /** How many candidates are looked at. */
  readonly atMost: number;
}

export interface PurgedPiece {
  readonly ids: readonly string[];
  /** The last candidate that was looked at; null: there are no others after it. */
  readonly next: PurgeCursor | null;
}

interface Candidate extends PurgeCursor {
  readonly mayGo: boolean;
}

/**
 * Looks at no more than so many candidates and deletes those that may be purged: oldest end first, and each with the run that it
 * was a fork of, if nothing else keeps that, and so on. In one transaction, with a tombstone for each.
 */
export async function purgePiece(database: Database, piece: PurgePiece): Promise<PurgedPiece> {
  const { endedBefore, throughPosition, after, atMost } = piece;
  const limit = Math.min(piece.limit, MOST_PURGED_AT_ONCE);
  const values = [endedBefore, throughPosition, after.endedAt, after.runId, atMost, []];
  const candidates = (await database.query(CANDIDATES, values)).map(candidateOf);
  const able = candidates.filter((candidate) => candidate.mayGo);
  const chosen = able.slice(0, limit);
  const ids = chosen.length === 0 ? [] : await purgeWithSources(database, chosen, { ...piece, limit });
  const last = lastLookedAt(ids.length >= limit ? new Set(ids) : null);
  const isAtEnd = last === candidates.at(-1) && candidates.length < atMost;
  return { ids, next: last === undefined || isAtEnd ? null : { endedAt: last.endedAt, runId: last.runId } };

  /** Those after it come next time. `purged`: that many that there may be others; null: there were fewer. */
  function lastLookedAt(purged: ReadonlySet<string> | null): Candidate | undefined {
    if (purged !== null) return chosen.findLast(({ runId }) => purged.has(runId));
    return able.length > chosen.length ? chosen.at(-1) : candidates.at(-1);
  }
}

async function purgeWithSources(
  database: Database,
  candidates: readonly Candidate[],
  request: PurgeEndedRequest,
): Promise<readonly string[]> {
  const { endedBefore, throughPosition, limit } = request;
  const ids = candidates.map(({ runId }) => runId);
  const rows = await database.query(CHAIN, [ids, endedBefore, throughPosition, ids.length + limit]);
  const runs = { chosen: new Set(ids), chain: rows.map((columns) => textOf(columns, 'run_id')) };
  return database.transaction((query) => purge(query, database.base, runs, request));
}

/** Locks the runs, judges them again, with those that only they keep, and deletes what may go. */
async function purge(
  query: Query,
  base: number,
  { chosen, chain }: { readonly chosen: ReadonlySet<string>; readonly chain: readonly string[] },
  { endedBefore, throughPosition, limit }: PurgeEndedRequest,
): Promise<readonly string[]> {
  const locked = (await query(LOCK, [chain])).map((columns) => textOf(columns, 'run_id'));
  if (locked.length === 0) return [];
  const rows = await query(JUDGE, [locked, endedBefore, throughPosition]);
  const going = withoutKept(
    rows.map((columns) => ({
      runId: textOf(columns, 'run_id'),
      forkedFrom: textOrNull(columns, 'forked_from'),
      mayGo: booleanOf(columns, 'may_go'),
    })),
  );
  const [ended, keptByForks] = [true, false].map((isChosen) =>
    going.filter(({ runId }) => chosen.has(runId) === isChosen),
  );
  const order = purgeOrder(ended ?? [], keptByForks ?? [], limit);
  if (order.length > 0) await query(DELETE, [base, order]);
  return order;
}

function candidateOf(columns: Columns): Candidate {
  return {
    endedAt: numberOf(columns, 'ended_at'),
    runId: textOf(columns, 'run_id'),
    mayGo: booleanOf(columns, 'may_go'),
  };
}

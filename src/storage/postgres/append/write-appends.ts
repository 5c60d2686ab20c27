import { createHash } from 'node:crypto';
import { StoreError } from '../../../errors/service-errors.js';
import type { AppendResult } from '../../../engine/ports/store/append.js';
import { textOf } from '../database/columns.js';
import type { Columns, Database, Query, SqlValue } from '../database/database.js';
import { isStored } from '../database/look-up.js';
import { QUERY_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from '../database/session-settings.js';
import { positionSql } from '../log/positions.js';
import type { Append, Piece } from './append-rows.js';
import { appendStatement, type Refusal } from './append-statement.js';

/** The pieces of an import that one statement takes. */
const MOST_CHARS = 4 * 1024 * 1024;
/** A statement with longer texts is given more time than the usual one: a second more for each megabyte. */
const LONG_CHARS = 16 * 1024 * 1024;
const CHARS_PER_MS = 1_024;
/** Of this transaction alone. `$1` ms. */
const GIVE_TIME = `SELECT pg_catalog.set_config('statement_timeout', $1::text, true)`;

/** A run of the same id may be purged again between two looks, though hardly more than once. */
const TRIES = 3;

/** Where no run has the id, all that the log has of it is nobody's. */
const CLEAR = ['log', 'states'].map(
  (table) => `
  DELETE FROM @.${table} WHERE run_id = $1::uuid
    AND NOT EXISTS (SELECT 1 FROM @.runs AS r WHERE r.run_id = $1::uuid)`,
);

const INSERT_PIECES = `
  INSERT INTO @.log (run_id, last_seq, first_seq, position, at, events)
  SELECT $2::uuid, p.last_seq, p.first_seq, ${positionSql('$1', 'p.place')}, p.at, p.events
  FROM unnest($3::integer[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[])
    AS p (place, first_seq, last_seq, at, events)`;

/** The events are compared by a digest: of two writers who append at once one may have the same seqs. */
const FIND_WRITTEN = `
  SELECT l.run_id FROM @.log AS l
    JOIN unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[]) AS a (run_id, first_seq, last_seq, digest)
    ON l.run_id = a.run_id AND l.last_seq = a.last_seq AND l.first_seq = a.first_seq
  WHERE l.run_id = ANY ($1::uuid[]) AND encode(sha256(convert_to(l.events, 'UTF8')), 'hex') = a.digest
    AND ${isStored('l.run_id')}`;

/**
 * Writes appends of different runs, and says of each what became of it; `remains`: `writeAlone` has to write it. Rejects when none
 * of them was written, or maybe all.
 */
export async function writeAppends(
  database: Database,
  appends: readonly Append[],
): Promise<readonly (AppendResult | 'remains')[]> {
  const [only] = appends;
  if (only !== undefined && appends.length === 1 && isInParts(only))
    return [await writeAlone(database, only)];
  const chars = appends.reduce((sum, append) => sum + append.chars, 0);
  const refusals =
    chars > LONG_CHARS
      ? await database.transaction((query) => writeTogether(query, database.base, appends))
      : await writeTogether(database.query, database.base, appends);
  return appends.map(({ runId }) => refusals.get(runId) ?? 'appended');
}

/**
 * Writes a first append in a transaction of its own: it deletes first what remains of a purged run of that id, and takes several
 * statements where the append is a long import. A run's order needs no single statement here: nobody appends to a run before its
 * first append is committed.
 */
export async function writeAlone(database: Database, append: Append): Promise<AppendResult> {
  const { runId } = append;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const result = await database.transaction(async (query) => {
      for (const sql of CLEAR) await query(sql, [runId]);
      const lastPieceOnly = isInParts(append);
      const refusals = await writeTogether(query, database.base, [append], lastPieceOnly);
      const refusal = refusals.get(runId) ?? 'appended';
      if (refusal === 'appended' && lastPieceOnly) await insertPieces(query, database.base, append);
      return refusal;
    });
    if (result !== 'remains') return result;
  }
  throw new StoreError(`The run ${runId} is purged and imported again and again: try again`);
}

/** Those of the appends that were written, by the ids of their runs: for when their statement has had no answer. */
export async function findWritten(
  query: Query,
  appends: readonly Append[],
  withinMs: number,
): Promise<ReadonlySet<string>> {
  const lastPieces = appends.flatMap(({ runId, pieces }) =>
    pieces.slice(-1).map((piece) => ({ runId, piece })),
  );
  const values = [
    lastPieces.map(({ runId }) => runId),
    lastPieces.map(({ piece }) => piece.firstSeq),
    lastPieces.map(({ piece }) => piece.lastSeq),
    lastPieces.map(({ piece }) => createHash('sha256').update(piece.events, 'utf8').digest('hex')),
  ];
  const rows = await query(FIND_WRITTEN, values, withinMs);
  return new Set(rows.map((columns) => textOf(columns, 'run_id')));
}

async function writeTogether(
  query: Query,
  base: number,
  appends: readonly Append[],
  lastPieceOnly = false,
): Promise<ReadonlyMap<string, Refusal>> {
  const { sql, values } = appendStatement(appends, base, { lastPieceOnly });
  const chars = lastPieceOnly ? 0 : appends.reduce((sum, append) => sum + append.chars, 0);
  const rows = chars > LONG_CHARS ? await performLong(query, sql, values, chars) : await query(sql, values);
  return new Map(rows.map((columns) => [textOf(columns, 'run_id'), refusalIn(textOf(columns, 'refusal'))]));
}

/**
 * Within a transaction. It has no id before the statement that appends, so that the order of a run's positions is the same as
 * without one.
 */
async function performLong(
  query: Query,
  sql: string,
  values: readonly SqlValue[],
  chars: number,
): Promise<readonly Columns[]> {
  const moreMs = Math.ceil(chars / CHARS_PER_MS);
  await query(GIVE_TIME, [String(STATEMENT_TIMEOUT_MS + moreMs)]);
  return query(sql, values, QUERY_TIMEOUT_MS + moreMs);
}

function refusalIn(text: string): Refusal {
  if (text === 'conflict' || text === 'stale' || text === 'remains') return text;
  throw new Error('column refusal holds no refusal');
}

/** Whether the append is too long for one statement. Only imports have several pieces. */
function isInParts({ pieces, chars }: Append): boolean {
  return pieces.length > 1 && chars > MOST_CHARS;
}

/** All but the last, with the ordinals before its own. */
async function insertPieces(query: Query, base: number, { runId, pieces }: Append): Promise<void> {
  let group: (Piece & { readonly place: number })[] = [];
  let chars = 0;
  const insert = async (): Promise<void> => {
    if (group.length === 0) return;
    await query(INSERT_PIECES, [
      base,
      runId,
      group.map(({ place }) => place),
      group.map(({ firstSeq }) => firstSeq),
      group.map(({ lastSeq }) => lastSeq),
      group.map(({ at }) => Math.floor(at)),
      group.map(({ events }) => events),
    ]);
    group = [];
    chars = 0;
  };
  for (const [place, piece] of pieces.slice(0, -1).entries()) {
    group.push({ ...piece, place });
    chars += piece.events.length;
    if (chars >= MOST_CHARS) await insert();
  }
  await insert();
}

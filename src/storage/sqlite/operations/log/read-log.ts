import type { JsonValue } from '../../../../engine/core/json.js';
import { textWithTypes, type CommitLog } from '../../../../engine/ports/store/commit-log.js';
import { numberOf, textOf, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { MAX_PIECE_CHARS, splitJson, type JsonPieces } from '../../threads/json-pieces.js';

/** position, run_id, namespace, workflow_id, definition_hash, origin, events as JSON; null: a tombstone. */
export type LogColumns = readonly [
  number,
  string,
  string,
  string,
  string | null,
  string | null,
  JsonPieces | null,
];

/** A page of large outputs ends early: followers continue until a page is empty. */
const MAX_PAGE_CHARS = 1024 * 1024;

/** A run's seqs count from 1: the row whose `last_seq` is 0 is a tombstone, and only then `tombstones` is looked at. */
const READ_LOG = `
  SELECT
    log.position, log.run_id, log.events, log.last_seq, runs.definition_hash, runs.origin,
    coalesce(tombstones.namespace, runs.namespace) AS namespace,
    coalesce(tombstones.workflow_id, runs.workflow_id) AS workflow_id
  FROM log
    LEFT JOIN runs ON runs.run_id = log.run_id
    LEFT JOIN tombstones ON log.last_seq = 0 AND tombstones.position = log.position
  WHERE log.position > ? ORDER BY log.position LIMIT ?`;

const LAST_POSITION = 'SELECT max(position) AS position FROM log';

/** Nearly all who ask are close to the end. Beyond so many a count would read a good part of the log. */
const MOST_COUNTED = 1_000;

const COUNT_AFTER = 'SELECT count(*) AS count FROM (SELECT 1 FROM log WHERE position > ? LIMIT ?)';

export type ReadLogRequest = Parameters<CommitLog['readAll']>[0];

export function readLog(
  connection: Connection,
  { afterPosition, limit, types }: ReadLogRequest,
): readonly LogColumns[] {
  const page: LogColumns[] = [];
  const lookedFor = types === undefined ? null : textWithTypes(types);
  /** The last row, where it may be left out unless it ends the page. */
  let leftOut: { readonly columns: Columns; readonly events: string } | null = null;
  let chars = 0;
  for (const columns of connection.statement(READ_LOG).iterate(afterPosition, limit)) {
    const isTombstone = numberOf(columns, 'last_seq') === 0;
    const events = isTombstone ? null : textOf(columns, 'events');
    leftOut = events === null || lookedFor?.test(events) !== false ? null : { columns, events };
    if (leftOut === null) page.push(logColumns(columns, events));
    chars += events?.length ?? 0;
    if (chars > MAX_PAGE_CHARS) break;
  }
  if (leftOut !== null) page.push(logColumns(leftOut.columns, leftOut.events));
  return page;
}

/** `events`: null for a tombstone. */
function logColumns(columns: Columns, events: string | null): LogColumns {
  return [
    numberOf(columns, 'position'),
    textOf(columns, 'run_id'),
    textOf(columns, 'namespace'),
    textOf(columns, 'workflow_id'),
    events === null ? null : textOf(columns, 'definition_hash'),
    events === null ? null : textOf(columns, 'origin'),
    events === null ? null : inPieces(events),
  ];
}

/** The page is parsed on a thread that others share. */
function inPieces(text: string): JsonPieces {
  return text.length <= MAX_PIECE_CHARS ? text : splitJson(JSON.parse(text) as JsonValue);
}

export function lastPosition(connection: Connection): number {
  const columns = connection.statement(LAST_POSITION).get() ?? {};
  return columns['position'] === null ? 0 : numberOf(columns, 'position');
}

/**
 * The entries after the position, up to `atMost`. Here positions follow one another, and only a purge leaves gaps: many entries
 * are told from their positions alone.
 */
export function countAfter(
  connection: Connection,
  { position, atMost }: { readonly position: number; readonly atMost: number },
): number {
  const positions = lastPosition(connection) - position;
  if (positions <= 0) return 0;
  if (positions > MOST_COUNTED) return Math.min(positions, atMost);
  return numberOf(connection.statement(COUNT_AFTER).get(position, atMost) ?? {}, 'count');
}

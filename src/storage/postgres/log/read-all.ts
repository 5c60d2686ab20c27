import { textWithTypes, type CommitLog, type LogEntry } from '../../../engine/ports/store/commit-log.js';
import { Slice } from '../../../engine/scheduling/slice.js';
import { numberOf, numberOrNull, textOf, textOrNull } from '../database/columns.js';
import type { Columns, Database } from '../database/database.js';
import { unescaped } from '../database/escaped.js';
import { eventsIn, PAGE_BYTES } from './log-pages.js';
import { heldBackIn, readPatiently, visibleBelow } from './positions.js';
import { nextChanges } from './read-changes.js';

export type ReadAllRequest = Parameters<CommitLog['readAll']>[0];

/** Rows of a page at most: a page that is shorter than requested is not the end. */
const MOST_ROWS = 2_000;

/**
 * The next rows of the log with their runs, and the tombstones between them, as in `read-changes.ts`, up to some size: followers
 * continue until a page is empty. The first entry is on the page however large it is. `$1` the base, `$2` the position, `$3` how
 * many entries, `$4` how many bytes.
 */
const READ = `
  WITH part AS MATERIALIZED (
    SELECT l.position, l.run_id, l.events, octet_length(l.events) AS bytes FROM @.log AS l
    WHERE l.position > $2::bigint AND l.position < ${visibleBelow('$1')}
    ORDER BY l.position LIMIT $3::bigint
  ), edge AS MATERIALIZED (
    SELECT CASE WHEN count(*) = $3::bigint THEN max(part.position) END AS ends_at FROM part
  ), entries AS (
    SELECT part.position, part.run_id, r.namespace, r.workflow_id, r.definition_hash, r.origin, part.events, part.bytes
    FROM part JOIN @.runs AS r ON r.run_id = part.run_id
    UNION ALL (
      SELECT t.position, t.run_id, t.namespace, t.workflow_id, NULL::text, NULL::text, NULL::text, 0
      FROM @.tombstones AS t
      WHERE t.position > $2::bigint AND t.position < ${visibleBelow('$1')}
        AND t.position <= coalesce((SELECT edge.ends_at FROM edge), t.position)
      ORDER BY t.position LIMIT $3::bigint
    )
  ), page AS MATERIALIZED (
    SELECT e.*, (sum(e.bytes) OVER (ORDER BY e.position) - e.bytes)::bigint AS bytes_before
    FROM entries AS e ORDER BY e.position LIMIT $3::bigint
  )
  SELECT edge.ends_at, page.position, page.run_id, page.namespace, page.workflow_id, page.definition_hash,
    page.origin, page.events,
    CASE WHEN page.position IS NULL AND edge.ends_at IS NULL
      THEN ${heldBackIn('log', '$1')} OR ${heldBackIn('tombstones', '$1')} ELSE false END AS is_held_back
  FROM edge LEFT JOIN page ON page.bytes_before = 0 OR page.bytes_before + page.bytes <= $4::bigint
  ORDER BY page.position`;

export async function readAll(
  database: Database,
  { afterPosition, limit, types }: ReadAllRequest,
): Promise<readonly LogEntry[]> {
  const rows = Math.min(limit, MOST_ROWS);
  const lookedFor = types === undefined ? null : textWithTypes(types);
  for (let after = afterPosition; ;) {
    const page = await readPatiently(() => readPage(database, after, rows));
    if (page.entries.length > 0 || page.endsAt === null) return entriesOf(page.entries, lookedFor);
    const [next] = await nextChanges(database, page.endsAt, 1);
    if (next === undefined) return [];
    after = next.position - 1;
  }
}

interface Page {
  readonly entries: readonly Columns[];
  /** The position up to which rows were looked at; null: to the end. */
  readonly endsAt: number | null;
  readonly isHeldBack: boolean;
}

async function readPage(database: Database, afterPosition: number, rows: number): Promise<Page> {
  const found = await database.query(READ, [database.base, afterPosition, rows, PAGE_BYTES]);
  const [first = {}] = found;
  return {
    entries: found.filter((columns) => columns['position'] !== null),
    endsAt: numberOrNull(first, 'ends_at'),
    isHeldBack: first['is_held_back'] === true,
  };
}

/**
 * Texts are parsed one after the other, and others have the event loop where that takes longer than a slice. Those without what is
 * looked for are not, but for the last; `lookedFor`: null for all.
 */
async function entriesOf(rows: readonly Columns[], lookedFor: RegExp | null): Promise<readonly LogEntry[]> {
  const slice = new Slice();
  const last = rows.at(-1);
  const entries: LogEntry[] = [];
  for (const columns of rows) {
    if (slice.isOver) await slice.next();
    const about = {
      position: numberOf(columns, 'position'),
      runId: textOf(columns, 'run_id'),
      namespace: unescaped(textOf(columns, 'namespace')),
      workflowId: unescaped(textOf(columns, 'workflow_id')),
    };
    const text = textOrNull(columns, 'events');
    if (text === null) {
      entries.push({ kind: 'purged', ...about });
      continue;
    }
    if (columns !== last && lookedFor?.test(text) === false) continue;
    const definitionHash = unescaped(textOf(columns, 'definition_hash'));
    const imported = columns['origin'] === 'import' ? ({ isImport: true } as const) : {};
    entries.push({ kind: 'appended', ...about, definitionHash, ...imported, events: await eventsIn(text) });
  }
  return entries;
}

import { numberOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';

/** position, run_id, workflow_id, events as JSON text. */
export type LogColumns = readonly [number, string, string, string];

/** A page of large outputs ends early: followers ask on until a page is empty. */
const MAX_PAGE_CHARS = 8 * 1024 * 1024;

const READ_LOG = `
  SELECT log.position, log.run_id, runs.workflow_id, log.events
  FROM log CROSS JOIN runs ON runs.run_id = log.run_id
  WHERE log.position > ? ORDER BY log.position LIMIT ?`;

export function readLog(
  connection: Connection,
  { afterPosition, limit }: { readonly afterPosition: number; readonly limit: number },
): readonly LogColumns[] {
  const page: LogColumns[] = [];
  let chars = 0;
  for (const columns of connection.statement(READ_LOG).iterate(afterPosition, limit)) {
    const events = textOf(columns, 'events');
    page.push([
      numberOf(columns, 'position'),
      textOf(columns, 'run_id'),
      textOf(columns, 'workflow_id'),
      events,
    ]);
    chars += events.length;
    if (chars > MAX_PAGE_CHARS) break;
  }
  return page;
}

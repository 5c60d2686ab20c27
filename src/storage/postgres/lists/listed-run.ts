import type { OpenGate } from '../../../engine/ports/store/gates.js';
import type { RunIndex } from '../../../engine/ports/store/run-index.js';
import type { ListedRun } from '../../../engine/ports/store/run-row.js';
import { prefixed, rowOf, textOrNull } from '../database/columns.js';
import type { Columns, Query } from '../database/database.js';
import { unescaped } from '../database/escaped.js';
import { isRunId } from './run-ids.js';

export type ReadListedRequest = Parameters<RunIndex['readListed']>[0];

/** The most open gates that come with a row. */
const MAX_GATES = 20;

/**
 * What `listedOf` reads, of a run's row and its `gates` under the alias. Labels and gates are values of the SELECT that reads the
 * row, as JSON: so all three are of one commit without a transaction, and a page needs no statement more.
 */
export function listedColumns(alias: string): string {
  return `${prefixed(alias)},
    (SELECT json_agg(json_build_array(l.name, l.value) ORDER BY l.name)::text
      FROM @.run_labels AS l WHERE l.run_id = ${alias}.run_id) AS labels,
    CASE WHEN ${alias}.ended_at IS NULL AND ${alias}.gates > 0 THEN (
      SELECT json_agg(json_build_array(g.gate_id, g.unit_id, g.opened_at) ORDER BY g.gate_id)::text FROM (
        SELECT one.gate_id, one.unit_id, one.opened_at FROM @.open_gates AS one
        WHERE one.run_id = ${alias}.run_id ORDER BY one.gate_id LIMIT ${MAX_GATES}
      ) AS g
    ) END AS open_gates`;
}

const READ = `SELECT ${listedColumns('r')} FROM @.runs AS r WHERE r.run_id = $1::uuid`;

export function listedOf(columns: Columns): ListedRun {
  return { row: rowOf(columns), labels: labelsOf(columns), openGates: openGatesOf(columns) };
}

export async function readListed(query: Query, { runId }: ReadListedRequest): Promise<ListedRun | null> {
  if (!isRunId(runId)) return null;
  const [columns] = await query(READ, [runId]);
  return columns === undefined ? null : listedOf(columns);
}

function labelsOf(columns: Columns): Readonly<Record<string, string>> {
  const text = textOrNull(columns, 'labels');
  const labels: readonly (readonly [name: string, value: string])[] = text === null ? [] : JSON.parse(text);
  return Object.fromEntries(labels.map(([name, value]) => [unescaped(name), unescaped(value)]));
}

function openGatesOf(columns: Columns): readonly OpenGate[] {
  const text = textOrNull(columns, 'open_gates');
  const gates: readonly (readonly [gateId: number, unitId: string, openedAt: number])[] =
    text === null ? [] : JSON.parse(text);
  return gates.map(([gateId, unitId, openedAt]) => ({ gateId, unitId: unescaped(unitId), openedAt }));
}

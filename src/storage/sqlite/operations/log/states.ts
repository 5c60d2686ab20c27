import { numberOf, textOrNull } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList, type RowOf } from '../column-list.js';

export const STATE = new ColumnList({ seq: 'number', state_version: 'number', state: 'text' });
export type StateRow = RowOf<typeof STATE>;

/** Older stored states only help rewinds, which can also fold the log. */
const KEPT_STATES = 3;

const INSERT_STATE = `INSERT INTO states (run_id, ${STATE.names}) VALUES (?, ${STATE.marks})`;

const DELETE_OLDER_STATES = `
  DELETE FROM states
  WHERE run_id = ?1
    AND seq < (SELECT seq FROM states WHERE run_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ${KEPT_STATES - 1})`;

const READ_STATE_COLUMNS = `
  SELECT seq, state_version, CASE WHEN octet_length(state) <= ? THEN state END AS state
  FROM states WHERE run_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1`;

const READ_STATE = 'SELECT state FROM states WHERE run_id = ? AND seq = ?';

/** A stored state before its JSON is parsed; `text` is null where it is too large for that. */
export interface StateText {
  readonly seq: number;
  readonly stateVersion: number;
  readonly text: string | null;
}

export function insertState(connection: Connection, runId: string, state: StateRow): void {
  connection.statement(INSERT_STATE).run(runId, ...state);
  connection.statement(DELETE_OLDER_STATES).run(runId);
}

/** The newest stored state at or before the seq. */
export function readStateColumns(
  connection: Connection,
  runId: string,
  untilSeq: number,
  maxBytes: number,
): StateText | null {
  const columns = connection.statement(READ_STATE_COLUMNS).get(maxBytes, runId, untilSeq);
  if (columns === undefined) return null;
  return {
    seq: numberOf(columns, 'seq'),
    stateVersion: numberOf(columns, 'state_version'),
    text: textOrNull(columns, 'state'),
  };
}

/** The JSON text of the state after event `seq`, or null when newer ones have replaced it. */
export function readStateText(connection: Connection, runId: string, seq: number): string | null {
  const columns = connection.statement(READ_STATE).get(runId, seq);
  return columns === undefined ? null : textOrNull(columns, 'state');
}

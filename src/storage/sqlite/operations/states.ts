import type { StoredState } from '../../../engine/ports/run-store.js';
import { numberOf, textOf } from '../connection/columns.js';
import type { Connection } from '../connection/connection.js';

/** run_id, seq, state_version, state. */
export type StateColumns = readonly [string, number, number, string];

/** Older stored states only help rewinds, which can also fold the log. */
const KEPT_STATES = 3;

const INSERT_STATE = 'INSERT INTO states (run_id, seq, state_version, state) VALUES (?, ?, ?, ?)';

const DELETE_OLDER_STATES = `
  DELETE FROM states
  WHERE run_id = ?1
    AND seq < (SELECT seq FROM states WHERE run_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ${KEPT_STATES - 1})`;

const READ_STATE = `
  SELECT seq, state_version, state FROM states WHERE run_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1`;

export function insertState(connection: Connection, columns: StateColumns): void {
  connection.statement(INSERT_STATE).run(...columns);
  connection.statement(DELETE_OLDER_STATES).run(columns[0]);
}

/** The newest stored state at or before the seq. */
export function readState(
  connection: Connection,
  {
    runId,
    untilSeq,
    willParse,
  }: { readonly runId: string; readonly untilSeq: number; readonly willParse: (text: string) => void },
): StoredState | null {
  const columns = connection.statement(READ_STATE).get(runId, untilSeq);
  if (columns === undefined) return null;
  const text = textOf(columns, 'state');
  willParse(text);
  return {
    seq: numberOf(columns, 'seq'),
    stateVersion: numberOf(columns, 'state_version'),
    state: JSON.parse(text) as StoredState['state'],
  };
}

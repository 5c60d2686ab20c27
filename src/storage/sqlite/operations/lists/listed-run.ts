import type { ListedRun, RunRow } from '../../../../engine/ports/store/run-row.js';
import type { Connection } from '../../connection/connection.js';
import { readLabels } from '../append/labels.js';
import { oldestOpenGates } from '../append/open-gates.js';
import { readRow } from '../log/read-run.js';

/** The most open gates that come with a row. */
const MAX_GATES = 20;

export function listedRun(connection: Connection, row: RunRow): ListedRun {
  return {
    row,
    labels: readLabels(connection, row.runId),
    openGates: row.endedAt === null ? oldestOpenGates(connection, row.runId, MAX_GATES) : [],
  };
}

/** Reads row, labels and gates from the same commit. */
export function readListed(connection: Connection, runId: string): ListedRun | null {
  return connection.snapshot(() => {
    const row = readRow(connection, runId);
    return row === null ? null : listedRun(connection, row);
  });
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunRow } from '../../../src/engine/ports/store/run-row.js';
import { runLog } from '../../../src/storage/sqlite/schema/0001-run-log.js';

const APPLICATION_ID = 0x666c6f77;

/** A data folder as version 0.1.0 left it (schema 1), with a log entry of one event for each run. */
export async function olderFolder(
  path: string,
  runs: readonly Omit<RunRow, 'namespace' | 'lastSeq'>[],
): Promise<void> {
  await mkdir(path, { recursive: true });
  const database = new DatabaseSync(join(path, 'runs.db'));
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA journal_mode = WAL; BEGIN;`);
  database.exec(runLog.sql);
  const run = database.prepare('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)');
  const log = database.prepare(
    'INSERT INTO log (run_id, first_seq, last_seq, at, events) VALUES (?, 1, 1, 1, ?)',
  );
  for (const row of runs) {
    const { runId, workflowId, definitionHash, status, createdAt, updatedAt } = row;
    const { endedAt, openExecutions, wakeAt } = row;
    run.run(runId, workflowId, definitionHash, status, createdAt, updatedAt, endedAt, openExecutions, wakeAt);
    log.run(runId, '[{"v":1,"seq":1,"at":1,"type":"run-started"}]');
  }
  database
    .prepare('INSERT INTO definitions VALUES (?, ?, ?, ?, ?)')
    .run('hash-1', 'invoices', 'kind: Workflow', '{"a":"b"}', 7);
  database
    .prepare('INSERT INTO idempotency VALUES (?, ?, ?, ?)')
    .run('start:invoices', 'key', 'f', runs[0]?.runId ?? '');
  database.exec(`INSERT INTO cursors VALUES ('memory', 1); PRAGMA user_version = 1; COMMIT;`);
  database.close();
}

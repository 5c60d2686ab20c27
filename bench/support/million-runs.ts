import { DatabaseSync } from 'node:sqlite';

/** What the runs of `makeRuns` are like: which values a filter finds many, some or hardly any by. */
export const WORKFLOWS = 20;
export const VERSIONS = 3;
export const TEAMS = 50;
export const REGIONS = 4;
const NEWEST = 1_790_000_000_000;
/** Between one run and the next. */
const STEP_MS = 500;

const BATCH = 20_000;

export interface MadeRun {
  readonly runId: string;
  readonly createdAt: number;
}

/** UUIDv7 in looks: its time, and its number. */
export function runOf(index: number, count: number): MadeRun {
  const createdAt = NEWEST - (count - index) * STEP_MS;
  const time = createdAt.toString(16).padStart(12, '0');
  const mixed = ((index * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0');
  const number = index.toString(16).padStart(7, '0');
  return {
    createdAt,
    runId: `${time.slice(0, 8)}-${time.slice(8)}-7${number.slice(0, 3)}-8${mixed.slice(0, 3)}-${number}${mixed.slice(3)}`,
  };
}

export function hashOf(workflow: number, version: number): string {
  return `${workflow}-${version}-`.padEnd(64, '0');
}

/**
 * So many runs, written with SQL: 94 of 100 completed, 3 failed (a tenth of them cancelled), 2 paused at a gate, 1 running;
 * 2 are children, 1 is a fork. Half have labels. Nobody else may have the file open.
 */
export function makeRuns(file: string, count: number): void {
  const database = new DatabaseSync(file);
  // As fast as can be: a benchmark that dies here begins again.
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA wal_autocheckpoint = 0');
  const run = database.prepare(`
    INSERT INTO runs (run_id, workflow_id, definition_hash, status, created_at, updated_at, ended_at, open_executions,
      wake_at, last_seq, namespace, gates, parent_run_id, origin, forked_from, is_cancelled, tokens, cost, active_ms, active_since)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, 1, 'default', ?, ?, ?, ?, ?, 7, 0.1, 40, NULL)`);
  const label = database.prepare(
    `INSERT INTO run_labels (run_id, name, value, namespace, created_at) VALUES (?, ?, ?, 'default', ?)`,
  );
  const gate = database.prepare(`
    INSERT INTO open_gates (run_id, gate_id, unit_id, opened_at, namespace, workflow_id, created_at)
    VALUES (?, 1, ?, ?, 'default', ?, ?)`);
  const log = database.prepare(
    'INSERT INTO log (run_id, first_seq, last_seq, at, events) VALUES (?, 1, 1, ?, ?)',
  );
  const definition = database.prepare(`
    INSERT INTO definitions (namespace, hash, workflow_id, yaml, bindings, plan, registered_at)
    VALUES ('default', ?, ?, '', '{}', NULL, ?)`);
  for (let workflow = 0; workflow < WORKFLOWS; workflow++) {
    for (let version = 0; version < VERSIONS; version++) {
      definition.run(hashOf(workflow, version), `flow-${workflow}`, version);
    }
  }
  for (let from = 0; from < count; from += BATCH) {
    database.exec('BEGIN');
    for (let index = from; index < Math.min(count, from + BATCH); index++) {
      const { runId, createdAt } = runOf(index, count);
      const dice = Math.random() * 100;
      const status = dice < 94 ? 'completed' : dice < 97 ? 'failed' : dice < 99 ? 'paused' : 'running';
      // Some workflows have many runs, others few.
      const workflow = Math.floor(WORKFLOWS * Math.random() ** 3);
      const workflowId = `flow-${workflow}`;
      const kind = Math.random() * 100;
      const origin = kind < 2 ? 'child' : kind < 3 ? 'fork' : 'client';
      const other = index === 0 ? null : runOf(Math.floor(Math.random() * index), count).runId;
      run.run(
        runId,
        workflowId,
        hashOf(workflow, Math.floor(VERSIONS * Math.random())),
        status,
        createdAt,
        createdAt + 40,
        status === 'completed' || status === 'failed' ? createdAt + 40 : null,
        status === 'running' ? 1 : 0,
        status === 'paused' ? 1 : 0,
        origin === 'child' ? other : null,
        origin,
        origin === 'fork' ? other : null,
        status === 'failed' && Math.random() < 0.1 ? 1 : 0,
      );
      if (index % 2 === 0) {
        label.run(runId, 'team', `t${Math.floor(TEAMS * Math.random() ** 2)}`, createdAt);
        label.run(runId, 'region', `r${Math.floor(REGIONS * Math.random())}`, createdAt);
        label.run(runId, 'ticket', `k${index}`, createdAt);
      }
      if (status === 'paused') gate.run(runId, `unit-${index % 10}`, createdAt + 40, workflowId, createdAt);
      log.run(runId, createdAt, JSON.stringify([eventOf(status, createdAt)]));
    }
    database.exec('COMMIT');
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/** What a list reads of the log: why a run failed, and what a gate asks. */
function eventOf(status: string, at: number): object {
  const base = { v: 1, seq: 1, at };
  if (status === 'failed')
    return { ...base, type: 'run-failed', error: 'Unit pay failed after 3 attempt(s): 500' };
  const gate = { unitId: 'sign', title: 'Pay?', description: null, payload: null, onReject: 'fail' };
  return { ...base, type: 'gate-opened', path: '/spec/flow/order/0', scope: '', ...gate };
}

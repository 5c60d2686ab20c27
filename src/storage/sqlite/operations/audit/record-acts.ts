import type { AuditAct } from '../../../../engine/ports/audit/audit-act.js';
import type { AuditStore } from '../../../../engine/ports/audit/audit-store.js';
import { numberOf, textOf, textOrNull, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import { ColumnList, type RowOf } from '../column-list.js';
import {
  RECORD_ACTS,
  RECORD_ACTS_UNLESS_LAST,
  REMOVE_ACTS,
  type FlatValue,
  type Operation,
  type OperationReader,
} from '../operation.js';
import { forgetUntold, personOf, type KnownPeople } from './people.js';

/** An act as it crosses to the writer: with people by their names. `actor`: null where nobody is known. */
const ACT = new ColumnList({
  at: 'number',
  action: 'text',
  namespace: 'text',
  actor: 'text or null',
  is_claimed: 'number',
  subject: 'text or null',
  key_id: 'text or null',
  via: 'text or null',
  auth: 'text or null',
  workflow_id: 'text or null',
  run_id: 'text or null',
  seq: 'number or null',
  target: 'text or null',
  facts: 'text',
});
type ActRow = RowOf<typeof ACT>;

/** What tells of the same event once more does nothing. */
const INSERT = `
  INSERT INTO audit
    (at, action, namespace, person, subject, key_id, via, auth, workflow_id, run_id, seq, target, facts)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;

const LAST_TARGET = `
  SELECT target FROM audit
  WHERE namespace = ? AND action = ? AND action <> 'run.start' ORDER BY at DESC, id DESC LIMIT 1`;

const NAMESPACES = `
  WITH RECURSIVE known (namespace) AS (
    SELECT min(namespace) FROM audit
    UNION ALL
    SELECT (SELECT min(namespace) FROM audit WHERE namespace > known.namespace) FROM known WHERE known.namespace IS NOT NULL
  )
  SELECT namespace FROM known WHERE namespace IS NOT NULL`;
const OLDEST = `
  SELECT id, person, subject FROM audit WHERE namespace = ? AND at < ? ORDER BY at, id LIMIT ?`;
const REMOVE = 'DELETE FROM audit WHERE id = ?';

export function recordActsOperation({
  acts,
  unlessLast = false,
}: Parameters<AuditStore['record']>[0]): Operation {
  const operation: FlatValue[] = [unlessLast ? RECORD_ACTS_UNLESS_LAST : RECORD_ACTS];
  ACT.addAll(operation, acts.map(actRow));
  return operation;
}

/** What an operation ends with that something may have to be told of. */
export function withAct(operation: Operation, act: AuditAct | null | undefined): Operation {
  return act === null || act === undefined ? operation : [...operation, ...actRow(act)];
}

/** The end of an operation that was made by `withAct`: whoever performs one has read everything else, and has done it. */
export function recordActOf(connection: Connection, operation: OperationReader): void {
  if (operation.hasMore) insert(connection, ACT.read(operation));
}

export function recordActs(connection: Connection, operation: OperationReader, unlessLast: boolean): void {
  const people: KnownPeople = new Map();
  for (const act of ACT.readAll(operation)) {
    if (unlessLast && isLast(connection, act)) continue;
    insert(connection, act, people);
  }
}

export function removeActsOperation({ before, limit }: Parameters<AuditStore['removeBefore']>[0]): Operation {
  return [REMOVE_ACTS, before, limit];
}

/** How many were removed. */
export function removeActs(connection: Connection, operation: OperationReader): number {
  const oldest = oldestActs(connection, operation.number(), operation.number());
  for (const columns of oldest) connection.statement(REMOVE).run(numberOf(columns, 'id'));
  forgetUntold(connection, new Set(oldest.flatMap(refsIn)));
  return oldest.length;
}

/**
 * Each namespace by itself, so that an index finds what is old, and nothing else is read. By their ids it would be read after all that
 * a clock that was ahead has recorded.
 */
function oldestActs(connection: Connection, before: number, limit: number): readonly Columns[] {
  const oldest: Columns[] = [];
  for (const columns of connection.statement(NAMESPACES).all()) {
    if (oldest.length >= limit) break;
    const namespace = textOf(columns, 'namespace');
    oldest.push(...connection.statement(OLDEST).all(namespace, before, limit - oldest.length));
  }
  return oldest;
}

function actRow(act: AuditAct): ActRow {
  const { at, action, namespace, by, subject, target, seq, facts } = act;
  return ACT.row({
    at,
    action,
    namespace: namespace ?? '',
    actor: by === null ? null : (by.owner ?? by.id),
    is_claimed: by !== null && by.owner === null ? 1 : 0,
    subject,
    key_id: by?.auth === 'key' ? by.id : null,
    via: by?.via ?? null,
    auth: by?.auth ?? null,
    workflow_id: act.workflowId,
    run_id: act.runId,
    seq,
    target,
    facts: JSON.stringify(facts),
  });
}

function insert(connection: Connection, act: ActRow, people: KnownPeople = new Map()): void {
  const field = <Name extends Parameters<typeof ACT.field>[1]>(name: Name) => ACT.field(act, name);
  const actor = ACT.field(act, 'actor');
  const subject = ACT.field(act, 'subject');
  connection
    .statement(INSERT)
    .run(
      field('at'),
      field('action'),
      field('namespace'),
      actor === null ? null : personOf(connection, actor, ACT.field(act, 'is_claimed') === 1, people),
      subject === null ? null : personOf(connection, subject, false, people),
      field('key_id'),
      field('via'),
      field('auth'),
      field('workflow_id'),
      field('run_id'),
      field('seq'),
      field('target'),
      field('facts'),
    );
}

function isLast(connection: Connection, act: ActRow): boolean {
  const last = connection.statement(LAST_TARGET).get(ACT.field(act, 'namespace'), ACT.field(act, 'action'));
  return last !== undefined && textOrNull(last, 'target') === ACT.field(act, 'target');
}

function refsIn(columns: Columns): readonly string[] {
  return [textOrNull(columns, 'person'), textOrNull(columns, 'subject')].filter((ref) => ref !== null);
}

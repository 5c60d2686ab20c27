import type { AuditFacts, AuditRow } from '../../../../engine/ports/audit/audit-act.js';
import { MOST_AUDIT_ROWS, type AuditStore } from '../../../../engine/ports/audit/audit-store.js';
import { numberOf, numberOrNull, textOf, textOrNull, type Columns } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';
import type { FlatValue } from '../operation.js';
import { findPerson } from './people.js';

export type ListActsRequest = Parameters<AuditStore['list']>[0];
export type ReadActsAfterRequest = Parameters<AuditStore['readAfter']>[0];

const SELECT = `
  SELECT audit.id, at, action, namespace, key_id, via, auth, workflow_id, run_id, seq, target, facts,
    who.owner AS owner, who.is_claimed AS is_claimed, about.owner AS subject
  FROM audit LEFT JOIN people AS who ON who.ref = audit.person LEFT JOIN people AS about ON about.ref = audit.subject`;

const AFTER = `${SELECT} WHERE audit.id > ? ORDER BY audit.id LIMIT ?`;
const LAST_ID = 'SELECT id FROM audit ORDER BY id DESC LIMIT 1';

/** Each namespace by itself, so that an index gives the order. */
export function listActs(connection: Connection, request: ListActsRequest): readonly AuditRow[] {
  const { namespaces, owner } = request;
  const limit = Math.min(request.limit, MOST_AUDIT_ROWS);
  const person = owner === null ? null : findPerson(connection, owner, false);
  if (owner !== null && person === null) return [];
  const rows = [...new Set(namespaces)].flatMap((namespace) => {
    const { conditions, values } = conditionsOf(request, namespace, person);
    const sql = `${SELECT} WHERE ${conditions.join(' AND ')} ORDER BY at DESC, audit.id DESC LIMIT ?`;
    return connection
      .statement(sql)
      .all(...values, limit)
      .map(actOf);
  });
  return rows.sort((a, b) => b.at - a.at || b.id - a.id).slice(0, limit);
}

export function readActsAfter(
  connection: Connection,
  { afterId, limit }: ReadActsAfterRequest,
): readonly AuditRow[] {
  return connection.statement(AFTER).all(afterId, Math.min(limit, MOST_AUDIT_ROWS)).map(actOf);
}

export function lastActId(connection: Connection): number {
  const columns = connection.statement(LAST_ID).get();
  return columns === undefined ? 0 : numberOf(columns, 'id');
}

function conditionsOf(
  { action, runId, after, before, cursor }: ListActsRequest,
  namespace: string | null,
  person: string | null,
): { readonly conditions: readonly string[]; readonly values: readonly FlatValue[] } {
  const conditions = ['namespace = ?'];
  const values: FlatValue[] = [namespace ?? ''];
  const add = (condition: string, ...more: readonly FlatValue[]): void => {
    conditions.push(condition);
    values.push(...more);
  };
  if (person !== null) add('person = ?', person);
  if (action !== null) add('action = ?', action);
  // Without it the index of those that are rare is not looked at.
  if (action !== null && action !== 'run.start') add("action <> 'run.start'");
  if (runId !== null) add('run_id = ?', runId);
  if (after !== null) add('at >= ?', after);
  if (before !== null) add('at < ?', before);
  if (cursor !== null) add('(at, audit.id) < (?, ?)', cursor.at, cursor.id);
  return { conditions, values };
}

function actOf(columns: Columns): AuditRow {
  const namespace = textOf(columns, 'namespace');
  return {
    id: numberOf(columns, 'id'),
    at: numberOf(columns, 'at'),
    action: textOf(columns, 'action') as AuditRow['action'],
    namespace: namespace === '' ? null : namespace,
    by: actorOf(columns),
    workflowId: textOrNull(columns, 'workflow_id'),
    runId: textOrNull(columns, 'run_id'),
    seq: numberOrNull(columns, 'seq'),
    subject: textOrNull(columns, 'subject'),
    target: textOrNull(columns, 'target'),
    facts: JSON.parse(textOf(columns, 'facts')) as AuditFacts,
  };
}

function actorOf(columns: Columns): AuditRow['by'] {
  const owner = textOrNull(columns, 'owner');
  if (owner === null) return null;
  const isClaimed = numberOf(columns, 'is_claimed') === 1;
  return {
    id: textOrNull(columns, 'key_id') ?? owner,
    owner: isClaimed ? null : owner,
    via: textOf(columns, 'via') as NonNullable<AuditRow['by']>['via'],
    auth: textOf(columns, 'auth') as NonNullable<AuditRow['by']>['auth'],
  };
}

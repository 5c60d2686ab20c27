import type { AuditFacts, AuditRow } from '../../../engine/ports/audit/audit-act.js';
import { MOST_AUDIT_ROWS, type AuditStore } from '../../../engine/ports/audit/audit-store.js';
import { booleanOf, numberOf, numberOrNull, textOf, textOrNull } from '../database/columns.js';
import type { Columns, Query, SqlValue } from '../database/database.js';
import { escaped, unescaped } from '../database/escaped.js';

type Request<Method extends keyof AuditStore> = Parameters<AuditStore[Method]>[0];

const SELECT = `
  SELECT audit.id, at, action, namespace, key_id, via, auth, workflow_id, run_id, seq, target, facts,
    who.owner AS owner, who.is_claimed AS is_claimed, about.owner AS subject
  FROM @.audit AS audit
  LEFT JOIN @.people AS who ON who.ref = audit.person LEFT JOIN @.people AS about ON about.ref = audit.subject`;

const FIND_PERSON = 'SELECT ref FROM @.people WHERE owner = $1::text AND NOT is_claimed';
const AFTER = `${SELECT} WHERE audit.id > $1::bigint ORDER BY audit.id LIMIT $2::bigint`;
const LAST_ID = 'SELECT id FROM @.audit ORDER BY id DESC LIMIT 1';

/** Each namespace by itself, so that an index gives the order. */
export async function listActs(query: Query, request: Request<'list'>): Promise<readonly AuditRow[]> {
  const { namespaces, owner } = request;
  const limit = Math.min(request.limit, MOST_AUDIT_ROWS);
  const person = owner === null ? null : await findPerson(query, owner);
  if (owner !== null && person === null) return [];
  const rows: AuditRow[] = [];
  for (const namespace of new Set(namespaces)) {
    const { conditions, values } = conditionsOf(request, namespace, person);
    const sql = `${SELECT} WHERE ${conditions} ORDER BY at DESC, audit.id DESC LIMIT $${values.length + 1}::bigint`;
    rows.push(...(await query(sql, [...values, limit])).map(actOf));
  }
  return rows.sort((a, b) => b.at - a.at || b.id - a.id).slice(0, limit);
}

export async function readActsAfter(
  query: Query,
  { afterId, limit }: Request<'readAfter'>,
): Promise<readonly AuditRow[]> {
  return (await query(AFTER, [afterId, Math.min(limit, MOST_AUDIT_ROWS)])).map(actOf);
}

export async function lastActId(query: Query): Promise<number> {
  const [columns] = await query(LAST_ID);
  return columns === undefined ? 0 : numberOf(columns, 'id');
}

async function findPerson(query: Query, owner: string): Promise<string | null> {
  const [columns] = await query(FIND_PERSON, [escaped(owner)]);
  return columns === undefined ? null : textOf(columns, 'ref');
}

function conditionsOf(
  { action, runId, after, before, cursor }: Request<'list'>,
  namespace: string | null,
  person: string | null,
): { readonly conditions: string; readonly values: readonly SqlValue[] } {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  /** `?` stands for the next value. */
  const add = (condition: string, ...more: readonly SqlValue[]): void => {
    let next = values.length;
    conditions.push(condition.replaceAll('?', () => `$${(next += 1)}`));
    values.push(...more);
  };
  add('namespace = ?::text', escaped(namespace ?? ''));
  if (person !== null) add('person = ?::uuid', person);
  if (action !== null) add('action = ?::text', action);
  // Without it the index of those that are rare is not looked at.
  if (action !== null && action !== 'run.start') add("action <> 'run.start'");
  if (runId !== null) add('run_id = ?::text', escaped(runId));
  if (after !== null) add('at >= ?::bigint', after);
  if (before !== null) add('at < ?::bigint', before);
  if (cursor !== null) add('(at, audit.id) < (?::bigint, ?::bigint)', cursor.at, cursor.id);
  return { conditions: conditions.join(' AND '), values };
}

function actOf(columns: Columns): AuditRow {
  const namespace = unescaped(textOf(columns, 'namespace'));
  return {
    id: numberOf(columns, 'id'),
    at: numberOf(columns, 'at'),
    action: textOf(columns, 'action') as AuditRow['action'],
    namespace: namespace === '' ? null : namespace,
    by: actorOf(columns),
    workflowId: unescapedOrNull(columns, 'workflow_id'),
    runId: unescapedOrNull(columns, 'run_id'),
    seq: numberOrNull(columns, 'seq'),
    subject: unescapedOrNull(columns, 'subject'),
    target: unescapedOrNull(columns, 'target'),
    facts: JSON.parse(textOf(columns, 'facts')) as AuditFacts,
  };
}

function actorOf(columns: Columns): AuditRow['by'] {
  const owner = unescapedOrNull(columns, 'owner');
  if (owner === null) return null;
  return {
    id: unescapedOrNull(columns, 'key_id') ?? owner,
    owner: booleanOf(columns, 'is_claimed') ? null : owner,
    via: textOf(columns, 'via') as NonNullable<AuditRow['by']>['via'],
    auth: textOf(columns, 'auth') as NonNullable<AuditRow['by']>['auth'],
  };
}

function unescapedOrNull(columns: Columns, name: string): string | null {
  const text = textOrNull(columns, name);
  return text === null ? null : unescaped(text);
}

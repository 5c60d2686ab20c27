import { randomUUID } from 'node:crypto';
import type { AuditAct } from '../../../engine/ports/audit/audit-act.js';
import type { AuditStore } from '../../../engine/ports/audit/audit-store.js';
import { numberOf, textOrNull } from '../database/columns.js';
import type { Database, Query } from '../database/database.js';
import { escaped } from '../database/escaped.js';
import { soleWriterOf } from '../database/sole-writer.js';

type Request<Method extends keyof AuditStore> = Parameters<AuditStore[Method]>[0];

/**
 * Whoever records is alone in it until the end of the transaction, over all replicas: so ids follow the order of commits. It is the
 * last lock that a transaction takes. Whoever reads is not held up.
 */
const LOCK = soleWriterOf('audit');

const INSERT_PEOPLE = `
  INSERT INTO @.people (ref, owner, is_claimed)
  SELECT named.ref, named.owner, named.is_claimed
  FROM unnest($1::uuid[], $2::text[], $3::boolean[]) AS named (ref, owner, is_claimed)
  ON CONFLICT DO NOTHING`;

/** What tells of the same event once more does nothing. */
const INSERT = `
  INSERT INTO @.audit
    (at, action, namespace, person, subject, key_id, via, auth, workflow_id, run_id, seq, target, facts)
  SELECT act.at, act.action, act.namespace, who.ref, about.ref, act.key_id, act.via, act.auth, act.workflow_id, act.run_id, act.seq,
    act.target, act.facts
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::bigint[], $13::text[], $14::text[])
    WITH ORDINALITY AS act (at, action, namespace, actor, is_claimed, subject, key_id, via, auth, workflow_id, run_id, seq,
      target, facts, number)
  LEFT JOIN @.people AS who ON who.owner = act.actor AND who.is_claimed = act.is_claimed
  LEFT JOIN @.people AS about ON about.owner = act.subject AND NOT about.is_claimed
  ORDER BY act.number
  ON CONFLICT DO NOTHING`;

const LAST_TARGET = `
  SELECT target FROM @.audit
  WHERE namespace = $1::text AND action = $2::text AND action <> 'run.start' ORDER BY at DESC, id DESC LIMIT 1`;

/**
 * Each namespace by itself, so that an index finds what is old, and nothing else is read. By their ids it would be read after all that
 * a clock that was ahead has recorded.
 */
const REMOVE = `
  WITH RECURSIVE known (namespace) AS (
    SELECT min(namespace) FROM @.audit
    UNION ALL
    SELECT (SELECT min(namespace) FROM @.audit WHERE namespace > known.namespace) FROM known WHERE known.namespace IS NOT NULL
  ), removed AS (
    DELETE FROM @.audit WHERE id IN (
      SELECT old.id FROM known CROSS JOIN LATERAL (
        SELECT id FROM @.audit AS a WHERE a.namespace = known.namespace AND a.at < $1::bigint ORDER BY a.at, a.id LIMIT $2::bigint
      ) AS old LIMIT $2::bigint)
    RETURNING person, subject
  )
  SELECT count(*) AS count, array_agg(DISTINCT person::text) AS persons, array_agg(DISTINCT subject::text) AS subjects FROM removed`;

const FORGET = `
  DELETE FROM @.people WHERE ref = ANY ($1::uuid[])
    AND NOT EXISTS (SELECT FROM @.audit WHERE person = ref) AND NOT EXISTS (SELECT FROM @.audit WHERE subject = ref)`;

/** Within the transaction of what it tells of, as the last of its statements. */
export async function recordAct(query: Query, act: AuditAct | null | undefined): Promise<void> {
  if (act === null || act === undefined) return;
  await query(LOCK);
  await insert(query, [act]);
}

export async function recordActs(
  database: Database,
  { acts, unlessLast = false }: Request<'record'>,
): Promise<void> {
  if (acts.length === 0) return;
  await database.transaction(async (query) => {
    await query(LOCK);
    if (!unlessLast) return insert(query, acts);
    for (const act of acts) if (!(await isLast(query, act))) await insert(query, [act]);
  });
}

export function removeActs(database: Database, { before, limit }: Request<'removeBefore'>): Promise<number> {
  return database.transaction(async (query) => {
    await query(LOCK);
    const [columns = {}] = await query(REMOVE, [before, limit]);
    const refs = [...refsIn(columns['persons']), ...refsIn(columns['subjects'])];
    if (refs.length > 0) await query(FORGET, [refs]);
    return numberOf(columns, 'count');
  });
}

async function insert(query: Query, acts: readonly AuditAct[]): Promise<void> {
  const people = new Map<string, { readonly owner: string; readonly isClaimed: boolean }>();
  const add = (owner: string, isClaimed: boolean): unknown =>
    people.set(`${isClaimed} ${owner}`, { owner, isClaimed });
  for (const { by, subject } of acts) {
    if (by !== null) add(by.owner ?? by.id, by.owner === null);
    if (subject !== null) add(subject, false);
  }
  const named = [...people.values()];
  if (named.length > 0)
    await query(INSERT_PEOPLE, [
      named.map(() => randomUUID()),
      named.map(({ owner }) => escaped(owner)),
      named.map(({ isClaimed }) => isClaimed),
    ]);
  const texts = (read: (act: AuditAct) => string | null): readonly (string | null)[] =>
    acts.map((act) => {
      const text = read(act);
      return text === null ? null : escaped(text);
    });
  await query(INSERT, [
    acts.map(({ at }) => at),
    texts(({ action }) => action),
    texts(({ namespace }) => namespace ?? ''),
    texts(({ by }) => (by === null ? null : (by.owner ?? by.id))),
    acts.map(({ by }) => by !== null && by.owner === null),
    texts(({ subject }) => subject),
    texts(({ by }) => (by?.auth === 'key' ? by.id : null)),
    texts(({ by }) => by?.via ?? null),
    texts(({ by }) => by?.auth ?? null),
    texts(({ workflowId }) => workflowId),
    texts(({ runId }) => runId),
    acts.map(({ seq }) => seq),
    texts(({ target }) => target),
    // JSON holds nothing that has to be escaped.
    acts.map(({ facts }) => JSON.stringify(facts)),
  ]);
}

async function isLast(query: Query, { namespace, action, target }: AuditAct): Promise<boolean> {
  const [columns] = await query(LAST_TARGET, [escaped(namespace ?? ''), action]);
  return (
    columns !== undefined && textOrNull(columns, 'target') === (target === null ? null : escaped(target))
  );
}

/** An aggregate of no rows is null, and a person may be. */
function refsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((ref): ref is string => typeof ref === 'string') : [];
}

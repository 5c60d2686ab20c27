import { auditAct, type AuditAct, type AuditRow } from '../../../../ports/audit/audit-act.js';
import type { AuditFilter, AuditStore } from '../../../../ports/audit/audit-store.js';

/** Epoch ms. */
export const NOON = 1_700_000_000_000;

export function sampleAct(more: Partial<AuditAct> = {}): AuditAct {
  return auditAct({
    at: NOON,
    action: 'run.start',
    namespace: 'acme',
    by: { id: 'key-7', owner: 'ann', via: 'http', auth: 'key' },
    ...more,
  });
}

/** The page of those that are meant, in `acme` unless something else is said. */
export function listed(
  audit: AuditStore,
  {
    cursor = null,
    limit = 100,
    ...filter
  }: Partial<AuditFilter> & { cursor?: AuditRow | null; limit?: number } = {},
): Promise<readonly AuditRow[]> {
  return audit.list({
    namespaces: ['acme'],
    owner: null,
    action: null,
    runId: null,
    after: null,
    before: null,
    ...filter,
    cursor: cursor === null ? null : { at: cursor.at, id: cursor.id },
    limit,
  });
}

/** What tells one sample from another. */
export const targetsOf = (rows: readonly AuditRow[]): readonly (string | null)[] =>
  rows.map(({ target }) => target);

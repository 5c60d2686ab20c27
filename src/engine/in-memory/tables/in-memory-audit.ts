import type { AuditAct, AuditRow } from '../../ports/audit/audit-act.js';
import { MOST_AUDIT_ROWS, type AuditStore } from '../../ports/audit/audit-store.js';
import { ownCopy } from './own-copy.js';

type Request<Method extends keyof AuditStore> = Parameters<AuditStore[Method]>[0];

/** The oldest are forgotten beyond this, since nothing here outlives the process. */
const MOST_KEPT = 100_000;

/** The audit as long as the process lives. */
export class InMemoryAudit implements AuditStore {
  /** By id. */
  private rows: AuditRow[] = [];
  private readonly told = new Set<string>();
  private newestId = 0;

  constructor(
    private readonly refuseIfClosed: () => void,
    private readonly mostKept = MOST_KEPT,
  ) {}

  /** With a change that is made at the same moment; null: nothing is to be told of it. */
  add(act: AuditAct | null | undefined): void {
    if (act !== null && act !== undefined) this.push(act);
  }

  async record({ acts, unlessLast = false }: Request<'record'>): Promise<void> {
    this.refuseIfClosed();
    for (const act of acts) {
      const last = unlessLast ? this.rows.findLast(({ action }) => action === act.action) : undefined;
      if (last === undefined || last.target !== act.target) this.push(act);
    }
  }

  async list(request: Request<'list'>): Promise<readonly AuditRow[]> {
    this.refuseIfClosed();
    const { cursor, limit } = request;
    return this.rows
      .filter((row) => isMeant(row, request) && (cursor === null || isNewer(cursor, row)))
      .sort((a, b) => (isNewer(a, b) ? -1 : 1))
      .slice(0, Math.min(limit, MOST_AUDIT_ROWS));
  }

  async readAfter({ afterId, limit }: Request<'readAfter'>): Promise<readonly AuditRow[]> {
    this.refuseIfClosed();
    const first = this.rows.findIndex(({ id }) => id > afterId);
    return first === -1 ? [] : this.rows.slice(first, first + Math.min(limit, MOST_AUDIT_ROWS));
  }

  async lastId(): Promise<number> {
    this.refuseIfClosed();
    return this.newestId;
  }

  async removeBefore({ before, limit }: Request<'removeBefore'>): Promise<number> {
    this.refuseIfClosed();
    const removed = new Set(this.rows.filter(({ at }) => at < before).slice(0, limit));
    for (const row of removed) this.told.delete(keyOf(row));
    this.rows = this.rows.filter((row) => !removed.has(row));
    return removed.size;
  }

  private push(act: AuditAct): void {
    const key = keyOf(act);
    if (act.seq !== null && this.told.has(key)) return;
    if (act.seq !== null) this.told.add(key);
    this.newestId += 1;
    this.rows.push(ownCopy({ ...act, id: this.newestId }));
    if (this.rows.length <= this.mostKept) return;
    const forgotten = this.rows.shift();
    if (forgotten !== undefined) this.told.delete(keyOf(forgotten));
  }
}

function keyOf({ runId, seq }: AuditAct): string {
  return `${runId} ${seq}`;
}

function isMeant(row: AuditRow, filter: Request<'list'>): boolean {
  const { namespaces, owner, action, runId, after, before } = filter;
  return (
    namespaces.includes(row.namespace) &&
    (owner === null || row.by?.owner === owner) &&
    (action === null || row.action === action) &&
    (runId === null || row.runId === runId) &&
    (after === null || row.at >= after) &&
    (before === null || row.at < before)
  );
}

function isNewer(one: Pick<AuditRow, 'at' | 'id'>, than: Pick<AuditRow, 'at' | 'id'>): boolean {
  return one.at === than.at ? one.id > than.id : one.at > than.at;
}

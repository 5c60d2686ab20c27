import type { AuditRow } from '../../engine/ports/audit/audit-act.js';
import type { AuditStore } from '../../engine/ports/audit/audit-store.js';
import type { OpenStore } from './open-store.js';
import { lastActId } from './operations/audit/read-acts.js';
import { recordActsOperation, removeActsOperation } from './operations/audit/record-acts.js';

type Request<Method extends keyof AuditStore> = Parameters<AuditStore[Method]>[0];

/** The audit in the database of the runs: what is recorded is committed with the appends that wait at the same time. */
export class SqliteAudit implements AuditStore {
  /** `store` throws a `StoreError` while the store is not open. */
  constructor(private readonly store: () => OpenStore) {}

  async record(request: Request<'record'>): Promise<void> {
    const { commits } = this.store();
    if (request.acts.length > 0) await commits.submit(recordActsOperation(request));
  }

  async list(request: Request<'list'>): Promise<readonly AuditRow[]> {
    return this.store().scanner.listActs(request);
  }

  async readAfter(request: Request<'readAfter'>): Promise<readonly AuditRow[]> {
    return this.store().scanner.readActsAfter(request);
  }

  async lastId(): Promise<number> {
    return this.store().read(lastActId);
  }

  async removeBefore(request: Request<'removeBefore'>): Promise<number> {
    return Number(await this.store().commits.submit(removeActsOperation(request)));
  }
}

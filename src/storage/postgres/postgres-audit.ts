import type { AuditRow } from '../../engine/ports/audit/audit-act.js';
import type { AuditStore } from '../../engine/ports/audit/audit-store.js';
import { lastActId, listActs, readActsAfter } from './audit/read-acts.js';
import { recordActs, removeActs } from './audit/record-acts.js';
import type { AccessDatabase } from './postgres-access.js';

type Request<Method extends keyof AuditStore> = Parameters<AuditStore[Method]>[0];

/** The audit of all replicas that share the database. */
export class PostgresAudit implements AuditStore {
  constructor(private readonly database: AccessDatabase) {}

  async record(request: Request<'record'>): Promise<void> {
    // It may wait, and what it was given is the caller's.
    const own = structuredClone(request);
    await this.database.write((database) => recordActs(database, own));
  }

  async list(request: Request<'list'>): Promise<readonly AuditRow[]> {
    return this.database.read((query) => listActs(query, request));
  }

  async readAfter(request: Request<'readAfter'>): Promise<readonly AuditRow[]> {
    return this.database.read((query) => readActsAfter(query, request));
  }

  async lastId(): Promise<number> {
    return this.database.read(lastActId);
  }

  async removeBefore(request: Request<'removeBefore'>): Promise<number> {
    return this.database.write((database) => removeActs(database, request));
  }
}

import type { AuditAct } from './ports/audit/audit-act.js';

/** What the audit says of an act. */
export interface AuditItem extends AuditAct {
  /** Opaque; the same for the same act to whoever sees the same namespace. */
  readonly id: string;
}

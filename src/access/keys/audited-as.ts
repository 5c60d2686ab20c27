import type { AuditActor, Principal } from '../../engine/index.js';
import { isBootstrap } from './bootstrap.js';

/** Who stands in the audit for what is asked for over HTTP; null for the key of the start, which is nobody's. */
export function auditedAs(by: Principal): AuditActor | null {
  return isBootstrap(by) ? null : { id: by.id, owner: by.owner, via: 'http', auth: by.auth };
}

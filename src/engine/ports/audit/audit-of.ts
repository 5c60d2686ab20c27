import { ConfigError } from '../../../errors/service-errors.js';
import type { RunStore } from '../store/run-store.js';
import type { AuditStore } from './audit-store.js';

/** What of the store keeps the audit. Throws a `ConfigError` for a store that keeps none. `setting`: what asks for it. */
export function auditOf(store: Pick<RunStore, 'audit'>, setting = 'audit'): AuditStore {
  if (store.audit !== undefined) return store.audit;
  throw new ConfigError([
    {
      variable: setting,
      message:
        `${setting}: the store of this host keeps no audit: give it a member audit (AuditStore), use one of the stores of ` +
        'Flowgate, or set it to false',
    },
  ]);
}

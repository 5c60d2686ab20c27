import { auditAct, type AuditStore, type Clock } from '../../engine/index.js';

/** Records, once for each content, that other rules are to hold: by the SHA-256 of the access file. */
export function recordOfRules(
  audit: Pick<AuditStore, 'record'> | null,
  clock: Clock,
): (sha256: string) => Promise<void> {
  return async (target) => {
    const act = auditAct({ at: clock.wallTime(), action: 'access-file.change', target });
    await audit?.record({ acts: [act], unlessLast: true });
  };
}

import { messageOf } from '../../../errors/flowgate-error.js';
import type { AuditStore } from '../../ports/audit/audit-store.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LogEntry } from '../../ports/store/commit-log.js';
import type { Load } from '../../scheduling/load.js';
import { LogFollower, type FollowedStore } from './log-follower.js';
import { readableEvents } from './readable-events.js';
import { actsOfEntry, TYPES_WITH_ACTS } from './acts-of-entry.js';

/** Names its cursor in the store, permanently. */
export const AUDIT_FOLLOWER = 'audit';

const BATCH_ENTRIES = 500;
/** One write for what happens in that time: nobody waits for it. */
const COLLECT_MS = 250;

export interface AuditFollowerOptions {
  readonly store: FollowedStore;
  readonly audit: Pick<AuditStore, 'record'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** See `LogFollowerOptions`. */
  readonly pollMs: number | null;
  readonly load: Load;
}

/**
 * Records what somebody did to runs. A batch whose cursor was not stored comes once more, and so does one that two processes follow
 * at the same time: of an event the audit keeps one act.
 */
export function auditFollower(options: AuditFollowerOptions): LogFollower {
  const { store, audit, clock, logger, pollMs, load } = options;
  return new LogFollower({
    name: AUDIT_FOLLOWER,
    store,
    clock,
    logger,
    load,
    pollMs,
    batchEntries: BATCH_ENTRIES,
    // Most of the log is what units did, which is not even parsed for this.
    types: TYPES_WITH_ACTS,
    collectMs: COLLECT_MS,
    handle: async (entries) => {
      const acts = entries.flatMap((entry) => actsIn(entry, logger));
      if (acts.length > 0) await audit.record({ acts });
    },
  });
}

function actsIn(entry: LogEntry, logger: EngineLogger) {
  if (entry.kind === 'purged') return [];
  const events = readableEvents(entry, (error) =>
    logger.error('An entry of the log cannot be read; the audit goes on without it', {
      runId: entry.runId,
      error: messageOf(error),
    }),
  );
  return actsOfEntry(entry, events);
}

import type { EngineLogger } from '../engine/ports/logger.js';
import type { HeldUp } from '../engine/ports/shared-database.js';
import type { Query } from '../storage/postgres/database/database.js';
import { readOldestWriter } from '../storage/postgres/log/oldest-writer.js';

/** Imports and purges take less; what takes longer is of somebody else, or stands still. */
const WARN_AFTER_MS = 30_000;

interface Seen {
  readonly transaction: string;
  readonly pid: number | null;
  /** By the steady clock. */
  readonly since: number;
  readonly until: number;
}

/**
 * Looks, now and then, whether one transaction has been the oldest of the server since the last look: it holds up all who follow
 * the log, whichever database it is in. What it has done before the first look nobody may ask without more rights, so that it is
 * known for less than it has been open.
 */
export class OldestTransaction {
  private seen: Seen | null = null;
  private warnedOf: string | null = null;

  constructor(
    private readonly logger: EngineLogger,
    private readonly steadyMs: () => number = () => performance.now(),
  ) {}

  /** What was seen at two looks at least; null: nothing. */
  get heldUp(): HeldUp | null {
    const { seen } = this;
    return seen === null || seen.until === seen.since
      ? null
      : { pid: seen.pid, forMs: Math.round(seen.until - seen.since) };
  }

  /** Rejects where the database does not answer: what was seen is forgotten then. */
  async look(query: Query): Promise<void> {
    const { seen } = this;
    this.seen = null;
    const oldest = await readOldestWriter(query);
    if (oldest === null) return;
    const now = this.steadyMs();
    const since = seen?.transaction === oldest.transaction ? seen.since : now;
    this.seen = { ...oldest, since, until: now };
    if (now - since < WARN_AFTER_MS || this.warnedOf === oldest.transaction) return;
    this.warnedOf = oldest.transaction;
    this.logger.warn(
      'A transaction that is left open on the database server holds up the search, webhooks and streams of all runs: end it',
      { pid: oldest.pid, forMs: Math.round(now - since) },
    );
  }
}

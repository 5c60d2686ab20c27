import { messageOf } from '../../../../errors/flowgate-error.js';
import { waitAtMost, type Clock } from '../../../ports/clock.js';
import type { EngineLogger } from '../../../ports/logger.js';
import { isNudge } from './replica-message.js';
import type { DriverDatabase } from '../session.js';
import { NOTIFY } from '../statements.js';

/** A database that is slower than this is worth nothing to who waits; what is lost is looked for. */
const MAX_PENDING = 10_000;
const SENT_AT_ONCE = 256;
const SEND_WITHIN_MS = 5_000;

interface Notification {
  readonly channel: string;
  readonly payload: string;
}

export interface NotificationsOptions {
  readonly database: Pick<DriverDatabase, 'query'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * Sends notifications to other replicas; nobody waits for it.
 *
 * 1. One statement is under way at a time, with what collected during the one before it.
 * 2. Of the same notification at most one is under way and one waits.
 * 3. What cannot be sent is lost, and counted; that it cannot is logged once, until something is sent again.
 */
export class Notifications {
  private readonly pending = new Map<string, Notification>();
  private isSending = false;
  private isFailing = false;
  private isStopped = false;
  private lost = 0;

  constructor(private readonly options: NotificationsOptions) {}

  /** How many nudges were lost: what else is lost is looked for by whoever waits for it. */
  get nudgesLostSoFar(): number {
    return this.lost;
  }

  send(channel: string, payload: string): void {
    if (this.isStopped) return;
    const key = `${channel} ${payload}`;
    if (!this.pending.has(key) && this.pending.size >= MAX_PENDING) {
      if (isNudge(payload)) this.lost += 1;
      return;
    }
    this.pending.set(key, { channel, payload });
    if (this.isSending) return;
    this.isSending = true;
    void this.sendAll();
  }

  /** What waits is not sent any more. */
  stop(): void {
    this.isStopped = true;
    this.pending.clear();
  }

  /** Never rejects. */
  private async sendAll(): Promise<void> {
    // What is sent by the same callback goes in one statement.
    await Promise.resolve();
    while (this.pending.size > 0) {
      const batch = [...this.pending].slice(0, SENT_AT_ONCE);
      for (const [key] of batch) this.pending.delete(key);
      await this.sendNow(batch.map(([, notification]) => notification));
    }
    this.isSending = false;
  }

  private async sendNow(batch: readonly Notification[]): Promise<void> {
    const { database, clock, logger } = this.options;
    try {
      let isSent = false;
      const sending = database.query(NOTIFY, [JSON.stringify(batch)]).then(() => {
        isSent = true;
      });
      await waitAtMost(clock, SEND_WITHIN_MS, sending);
      if (!isSent) throw new Error(`The database did not answer within ${SEND_WITHIN_MS} ms`);
      this.isFailing = false;
    } catch (error) {
      this.lost += batch.filter(({ payload }) => isNudge(payload)).length;
      if (this.isFailing || this.isStopped) return;
      this.isFailing = true;
      logger.warn(
        'Other replicas could not be notified: they look for themselves, which takes some seconds',
        {
          error: messageOf(error),
        },
      );
    }
  }
}

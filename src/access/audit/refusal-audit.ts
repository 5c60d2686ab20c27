import {
  auditAct,
  type AuditActor,
  type AuditStore,
  type Clock,
  type EngineLogger,
} from '../../engine/index.js';
import type { RefusedRequest } from '../../http/access/access.js';
import { messageOf } from '../../errors/flowgate-error.js';

/** What somebody was refused; `by`, whatever way they came. */
export interface NotedRefusal extends Omit<RefusedRequest, 'principal'> {
  readonly by: AuditActor | null;
}

export interface RefusalAuditParts {
  readonly audit: Pick<AuditStore, 'record'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

const WINDOW_MS = 60_000;
/** Of so many refusals there is an act of their own in a minute; of all others there is a count. */
const MOST_TOLD = 100;
const MAX_REASON_CHARS = 300;

/**
 * Records refusals: one per reason and principal a minute, a hundred in all, and then how many more there were.
 *
 * 1. Nobody waits for it: to note a refusal costs a look into a map.
 * 2. What it holds is bounded, however many refusals there are, and of how many kinds.
 * 3. None is left out of the count, also where the store fails.
 */
export class RefusalAudit {
  /** Those of this minute that there is an act of. */
  private readonly told = new Set<string>();
  private untold = 0;
  private endWindow: (() => void) | null = null;
  private readonly writes = new Set<Promise<void>>();
  private hasFailed = false;

  constructor(private readonly parts: RefusalAuditParts) {}

  note({ status, reason, by, namespace }: NotedRefusal): void {
    this.beginWindow();
    const text = reason.slice(0, MAX_REASON_CHARS).toWellFormed();
    const key = JSON.stringify([status, text, by?.owner ?? null, by?.id ?? null]);
    if (this.told.size >= MOST_TOLD || this.told.has(key)) {
      this.untold += 1;
      return;
    }
    this.told.add(key);
    const facts = { status, reason: text };
    this.write(auditAct({ at: this.now(), action: 'request.refuse', by, namespace, facts }), 1);
  }

  /** Resolves when all of it is recorded, or cannot be. */
  async close(): Promise<void> {
    this.endWindow?.();
    this.endWindow = null;
    this.tellOfOthers();
    await Promise.all(this.writes);
  }

  private beginWindow(): void {
    if (this.endWindow !== null) return;
    const { clock } = this.parts;
    const end = (): void => {
      this.endWindow = null;
      this.tellOfOthers();
    };
    this.endWindow = clock.schedule(clock.now() + WINDOW_MS, end, true);
  }

  private tellOfOthers(): void {
    this.told.clear();
    const count = this.untold;
    this.untold = 0;
    if (count > 0)
      this.write(auditAct({ at: this.now(), action: 'request.refuse-more', facts: { count } }), count);
  }

  /** `refusals`: how many it tells of. */
  private write(act: ReturnType<typeof auditAct>, refusals: number): void {
    const { audit, logger } = this.parts;
    const writing = audit.record({ acts: [act] }).then(
      () => void (this.hasFailed = false),
      (error: unknown) => {
        this.untold += refusals;
        // A store that fails says so elsewhere, too.
        if (!this.hasFailed)
          logger.warn('Refusals cannot be recorded in the audit; they are counted until they can', {
            error: messageOf(error),
          });
        this.hasFailed = true;
      },
    );
    this.writes.add(writing);
    void writing.then(() => this.writes.delete(writing));
  }

  private now(): number {
    return this.parts.clock.wallTime();
  }
}

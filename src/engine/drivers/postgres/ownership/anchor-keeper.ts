import { messageOf } from '../../../../errors/flowgate-error.js';
import { sleep } from '../../../ports/clock.js';
import type { EngineLogger } from '../../../ports/logger.js';
import { Anchor, type AnchorOptions } from './anchor.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
/** After a session that lasted for so long the next one is opened at once. */
const LASTED_MS = 10_000;

export interface AnchorKeeperOptions extends AnchorOptions {
  readonly logger: EngineLogger;
  /** Called once for each session that beat, before anything else of it is looked at. */
  readonly ended: (reason: string) => void;
}

/** Sees to it that there is a session: when one ends, another one is opened, until it stops. */
export class AnchorKeeper {
  private anchor: Anchor | null = null;
  private readonly stopping = new AbortController();
  /** What went wrong last, since a session was there; null: nothing. */
  private trouble: string | null = null;

  constructor(private readonly options: AnchorKeeperOptions) {}

  /** The session that is there, alive or not yet. */
  get current(): Anchor | null {
    return this.anchor;
  }

  /** Why there is no session; null: there is one, or it was not tried yet. */
  get lastTrouble(): string | null {
    return this.trouble;
  }

  start(): void {
    void this.keep();
  }

  /** No other session is opened; the one that is there stays until it is ended. */
  stop(): void {
    this.stopping.abort();
  }

  /** A beat of it was answered. */
  wasHeard(): void {
    if (this.trouble !== null) this.options.logger.info('There is a session with the database again');
    this.trouble = null;
  }

  /** Never rejects. */
  private async keep(): Promise<void> {
    const { clock } = this.options;
    const { signal } = this.stopping;
    let pauseMs = 0;
    while (!signal.aborted) {
      const begunAt = clock.now();
      this.hadTrouble(await this.lifeOfOne());
      if (clock.now() - begunAt >= LASTED_MS) pauseMs = 0;
      if (pauseMs > 0) await sleep(clock, pauseMs, signal);
      pauseMs = pauseMs === 0 ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  /** Resolves with why it ended, or could not begin. */
  private async lifeOfOne(): Promise<string> {
    try {
      const anchor = await Anchor.open(this.options);
      if (this.stopping.signal.aborted) {
        anchor.end('The engine stops');
        return 'The engine stops';
      }
      this.anchor = anchor;
      anchor.beat();
      const reason = await anchor.ended;
      this.anchor = null;
      this.options.ended(reason);
      return reason;
    } catch (error) {
      return messageOf(error);
    }
  }

  private hadTrouble(reason: string): void {
    const { logger } = this.options;
    const isNew = this.trouble !== reason;
    this.trouble = reason;
    if (this.stopping.signal.aborted || !isNew) return;
    logger.warn('There is no session with the database: this process owns no runs until there is one again', {
      error: reason,
    });
  }
}

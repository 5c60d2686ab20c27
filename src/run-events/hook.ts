import type { RunChange } from '../engine/index.js';

const MOST_AT_ONCE = 4;
const MOST_WAITING = 1_000;

export interface HookEvents {
  /** One call; what it throws is its own affair. */
  call(change: RunChange): Promise<void>;
  /** The first that is left out since it last kept up. */
  onOverflow(): void;
}

/**
 * The calls of one hook, in the order of what happened: a few at once, so that a slow hook delays itself alone, and a bounded
 * number that waits.
 */
export class Hook {
  private readonly waiting: RunChange[] = [];
  private atOnce = 0;
  private isBehind = false;
  private idle: (() => void) | null = null;

  constructor(private readonly events: HookEvents) {}

  tell(change: RunChange): void {
    if (this.waiting.length >= MOST_WAITING) {
      if (!this.isBehind) this.events.onOverflow();
      this.isBehind = true;
      return;
    }
    this.waiting.push(change);
    this.next();
  }

  /** Nothing that waits is begun any more; resolves when what is under way has ended. Answers how many waited. */
  async stop(): Promise<number> {
    const left = this.waiting.splice(0).length;
    if (this.atOnce > 0) await new Promise<void>((resolve) => (this.idle = resolve));
    return left;
  }

  private next(): void {
    while (this.atOnce < MOST_AT_ONCE) {
      const change = this.waiting.shift();
      if (change === undefined) break;
      this.atOnce += 1;
      void this.events.call(change).finally(() => {
        this.atOnce -= 1;
        this.next();
      });
    }
    if (this.waiting.length > 0) return;
    this.isBehind = false;
    if (this.atOnce === 0) this.idle?.();
  }
}

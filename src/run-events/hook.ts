import type { HookMoment, RunChange } from '../engine/index.js';

const MOST_AT_ONCE = 4;
const MOST_WAITING = 1_000;

export interface HookEvents {
  /** Makes one call; must handle its own errors. */
  call(change: RunChange<HookMoment>): Promise<void>;
  /** Called for the first change that is left out since the hook last kept up. */
  onOverflow(): void;
}

/**
 * The calls of one hook, in the order of events: a few at once, so that a slow hook delays only itself, and a bounded
 * number that waits.
 */
export class Hook {
  private readonly waiting: RunChange<HookMoment>[] = [];
  private atOnce = 0;
  private isBehind = false;
  private idle: (() => void) | null = null;

  constructor(private readonly events: HookEvents) {}

  notify(change: RunChange<HookMoment>): void {
    if (this.waiting.length >= MOST_WAITING) {
      if (!this.isBehind) this.events.onOverflow();
      this.isBehind = true;
      return;
    }
    this.waiting.push(change);
    this.next();
  }

  /** Drops the waiting calls; resolves when those in flight have ended. Returns how many were dropped. */
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

import type { CancelTimer, Clock } from '../ports/clock.js';
import { LOOPS_FOR_OTHERS } from '../runtime/mailbox/slice-scheduler.js';

interface WakeUp {
  readonly at: number;
  readonly callback: () => void;
  readonly isCare: boolean;
}

/** A clock that stands still until a test moves it; as with a real one, its wall clock can be set by itself. Epoch ms. */
export class ManualClock implements Clock {
  private readonly wakeUps = new Set<WakeUp>();
  /** How far the wall clock is behind. */
  private behindMs = 0;

  constructor(private instant = 1_750_000_000_000) {}

  /** How many are scheduled. */
  get scheduled(): number {
    return this.wakeUps.size;
  }

  /** When the next call is due that is not housekeeping of the process; null: there is none. */
  get next(): number | null {
    return this.earliest(({ isCare }) => !isCare)?.at ?? null;
  }

  now(): number {
    return this.instant;
  }

  wallTime(): number {
    return this.instant - this.behindMs;
  }

  /** Sets the wall clock by so much, forward or back. What is due by then happens with the next `advance`. */
  setWallBy(ms: number): void {
    this.behindMs -= ms;
    if (this.behindMs >= 0) return;
    this.instant -= this.behindMs;
    this.behindMs = 0;
  }

  schedule(at: number, callback: () => void, isCare = false): CancelTimer {
    const wakeUp = { at, callback, isCare };
    this.wakeUps.add(wakeUp);
    return () => this.wakeUps.delete(wakeUp);
  }

  /**
   * Lets everything happen that is due within `ms`, in order, and what follows from it at once. Housekeeping of the process
   * comes last, once, so that a year passes in seconds.
   */
  async advance(ms: number): Promise<void> {
    const until = this.instant + ms;
    await this.happen(until, ({ isCare }) => !isCare);
    this.instant = until;
    await this.happen(until, () => true);
  }

  private async happen(until: number, isMeant: (wakeUp: WakeUp) => boolean): Promise<void> {
    for (;;) {
      await quiet();
      const due = this.earliest(isMeant);
      if (due === null || due.at > until) return;
      this.wakeUps.delete(due);
      this.instant = Math.max(this.instant, due.at);
      due.callback();
    }
  }

  /** The earliest wake-up; of several for the same instant, the one that was scheduled first. */
  private earliest(isMeant: (wakeUp: WakeUp) => boolean): WakeUp | null {
    let earliest: WakeUp | null = null;
    for (const wakeUp of this.wakeUps) {
      if (isMeant(wakeUp) && (earliest === null || wakeUp.at < earliest.at)) earliest = wakeUp;
    }
    return earliest;
  }
}

/** A run may leave the event loop to others before its next turn, on a machine that is slow. */
const LOOPS = LOOPS_FOR_OTHERS + 16;

async function quiet(): Promise<void> {
  for (let loop = 0; loop < LOOPS; loop += 1) await new Promise((resolve) => setImmediate(resolve));
}

import type { CancelTimer, Clock } from '../ports/clock.js';

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it; as with a real one, its wall clock can be set by itself. Epoch ms. */
export class ManualClock implements Clock {
  private readonly alarms = new Set<Alarm>();
  /** How far the wall clock is behind. */
  private behindMs = 0;

  constructor(private instant = 1_750_000_000_000) {}

  /** How many are scheduled. */
  get scheduled(): number {
    return this.alarms.size;
  }

  /** When the next of them is due; null: there is none. */
  get next(): number | null {
    return this.earliest()?.at ?? null;
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

  schedule(at: number, callback: () => void): CancelTimer {
    const alarm = { at, callback };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  /** Lets everything happen that is due within `ms`, in order, and what follows from it at once. */
  async advance(ms: number): Promise<void> {
    const until = this.instant + ms;
    for (;;) {
      await quiet();
      const due = this.earliest();
      if (due === null || due.at > until) break;
      this.alarms.delete(due);
      this.instant = Math.max(this.instant, due.at);
      due.callback();
    }
    this.instant = until;
    await quiet();
  }

  /** Of several for the same instant, the one that was scheduled first. */
  private earliest(): Alarm | null {
    let earliest: Alarm | null = null;
    for (const alarm of this.alarms) if (earliest === null || alarm.at < earliest.at) earliest = alarm;
    return earliest;
  }
}

/** A run may let the loop go round 16 times for others before its next turn, on a machine that is slow. */
const LOOPS = 20;

async function quiet(): Promise<void> {
  for (let loop = 0; loop < LOOPS; loop += 1) await new Promise((resolve) => setImmediate(resolve));
}

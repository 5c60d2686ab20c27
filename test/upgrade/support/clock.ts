import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { CancelTimer, Clock } from '../../../src/engine/ports/clock.js';

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stops until it is moved. One of our own: the builds that write data folders bring none. */
export class StillClock implements Clock {
  private readonly alarms = new Set<Alarm>();
  private instant: number;

  constructor(instant: number) {
    this.instant = instant;
  }

  now(): number {
    return this.instant;
  }

  wallTime(): number {
    return this.instant;
  }

  schedule(at: number, callback: () => void): CancelTimer {
    const alarm = { at, callback };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  /** Lets everything happen that is due within `ms`, in order. */
  async pass(ms: number): Promise<void> {
    const until = this.instant + ms;
    for (;;) {
      await turnOfTheLoop();
      const [due] = [...this.alarms].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (due === undefined) break;
      this.alarms.delete(due);
      this.instant = Math.max(this.instant, due.at);
      due.callback();
    }
    this.instant = until;
  }
}

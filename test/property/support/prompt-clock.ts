import type { CancelTimer, Clock } from '../../../src/engine/ports/clock.js';

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
  readonly isCare: boolean;
}

/** A clock that moves only when it is told to, one wake-up at a time: its caller sees to what follows. */
export class PromptClock implements Clock {
  private readonly alarms = new Set<Alarm>();

  constructor(private instant: number) {}

  now(): number {
    return this.instant;
  }

  wallTime(): number {
    return this.instant;
  }

  schedule(at: number, callback: () => void, isCare = false): CancelTimer {
    const alarm = { at, callback, isCare };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  /** Fires the earliest wake-up that is due by then; false: there is none, and the clock has moved to then. */
  ring(until: number, { isCare }: { readonly isCare: boolean }): boolean {
    let earliest: Alarm | null = null;
    for (const alarm of this.alarms) {
      if (alarm.isCare === isCare && alarm.at <= until && alarm.at < (earliest?.at ?? Infinity))
        earliest = alarm;
    }
    if (earliest === null) {
      this.instant = Math.max(this.instant, until);
      return false;
    }
    this.alarms.delete(earliest);
    this.instant = Math.max(this.instant, earliest.at);
    earliest.callback();
    return true;
  }
}

import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';

/** What a run may do by itself before it is throttled. */
const BURST = { events: 100_000, chars: 64 * 1024 * 1024 };
/** What it may do per second from then on. */
const PER_SECOND = { events: 5_000, chars: 1024 * 1024 };

/** Signals that bring nothing from outside: the run continues by itself. */
const OWN_SIGNALS: ReadonlySet<Signal['type']> = new Set([
  'continue',
  'timer-due',
  'note',
  'recover',
  'undecided',
]);

/**
 * Limits how fast a run continues by itself. A loop that calls no unit could write its log for ever, as fast as the disk
 * takes it. After a fair burst it is throttled, until a signal from outside arrives, which no loop can cause by itself.
 */
export class RunThrottle {
  private events = BURST.events;
  private chars = BURST.chars;
  private since = 0;

  /** Something came from outside: the run may do as much as at first. */
  renew(): void {
    this.events = BURST.events;
    this.chars = BURST.chars;
  }

  /** `appended`: what these signals caused. Returns how many ms the run has to wait before it continues by itself. */
  next(
    signals: Iterable<Signal>,
    appended: { readonly events: readonly RunEvent[]; readonly chars: number },
    now: number,
  ): number {
    for (const { type } of signals) {
      if (!OWN_SIGNALS.has(type)) this.renew();
    }
    const seconds = Math.max(0, now - this.since) / 1_000;
    this.since = now;
    this.events = Math.min(BURST.events, this.events + seconds * PER_SECOND.events) - appended.events.length;
    this.chars = Math.min(BURST.chars, this.chars + seconds * PER_SECOND.chars) - appended.chars;
    const overdrawnSeconds = Math.max(-this.events / PER_SECOND.events, -this.chars / PER_SECOND.chars, 0);
    return Math.ceil(overdrawnSeconds * 1_000);
  }
}

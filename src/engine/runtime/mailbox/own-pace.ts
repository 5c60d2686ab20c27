import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';

/** What a run may do by itself before it is slowed. */
const AT_ONCE = { events: 100_000, chars: 64 * 1024 * 1024 };
/** What it may do from then on, in a second. */
const A_SECOND = { events: 5_000, chars: 1024 * 1024 };

/** Signals that bring nothing from outside: the run goes on by itself. */
const ITS_OWN: ReadonlySet<Signal['type']> = new Set([
  'continue',
  'timer-due',
  'note',
  'recover',
  'undecided',
]);

/**
 * How fast a run goes on by itself. A loop that calls no unit could write its log for ever, as fast as the disk takes
 * it: beyond a fair amount at once it goes on slowly, until somebody outside has a part in it, which no loop can bring
 * about by itself.
 */
export class OwnPace {
  private events = AT_ONCE.events;
  private chars = AT_ONCE.chars;
  private since = 0;

  /** What was appended for these signals. Answers how many ms the run waits before it goes on by itself. */
  next(
    signals: Iterable<Signal>,
    appended: { readonly events: readonly RunEvent[]; readonly chars: number },
    now: number,
  ): number {
    for (const { type } of signals) {
      if (ITS_OWN.has(type)) continue;
      this.events = AT_ONCE.events;
      this.chars = AT_ONCE.chars;
    }
    const seconds = Math.max(0, now - this.since) / 1_000;
    this.since = now;
    this.events = Math.min(AT_ONCE.events, this.events + seconds * A_SECOND.events) - appended.events.length;
    this.chars = Math.min(AT_ONCE.chars, this.chars + seconds * A_SECOND.chars) - appended.chars;
    const behind = Math.max(-this.events / A_SECOND.events, -this.chars / A_SECOND.chars, 0);
    return Math.ceil(behind * 1_000);
  }
}

import type { Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { DecidedBatch } from './decide-batch.js';
import { RunThrottle } from './run-throttle.js';

/** What a run goes on with by itself: preempted turns and pure units, at once or when the `RunThrottle` allows it. */
export class PreemptedTurns {
  private readonly throttle = new RunThrottle();
  /** The timers of turns that continue later. */
  private readonly timers = new Set<CancelTimer>();

  /** How many turns were preempted, and are still to be continued. */
  private open = 0;

  constructor(
    private readonly clock: Clock,
    private readonly proceed: (signal: Signal) => void,
    /** Whether a signal is the outcome of a unit that the run calls without anything outside of it. */
    private readonly isOfPureUnit: (from: RunState, signal: Signal) => boolean,
  ) {}

  get isEmpty(): boolean {
    return this.timers.size === 0;
  }

  get hasOpen(): boolean {
    return this.open > 0;
  }

  /** How many are left once these signals are decided. */
  openAfter(signals: readonly Signal[]): number {
    return Math.max(0, this.open - signals.filter(continues).length);
  }

  /** These signals were decided. */
  settle(signals: readonly Signal[]): void {
    this.open = this.openAfter(signals);
  }

  /** Continues what the batch, decided on `from`, left of its turns. */
  add(from: RunState, decided: DecidedBatch): void {
    const { clock } = this;
    const { continuations } = decided;
    const waitMs = this.waitAfter(from, decided);
    this.open += continuations.length;
    for (const continuation of continuations) {
      const proceed = () => this.proceed({ type: 'continue', at: clock.now(), continuation });
      if (waitMs === 0) proceed();
      else this.later(waitMs, proceed);
    }
  }

  /** How long the run has to wait, in ms, before it does what the batch left to do. */
  private waitAfter(from: RunState, { results, events, state }: DecidedBatch): number {
    const signals = results
      .flatMap(({ message }) => message.signals)
      .filter((signal) => !this.isOfPureUnit(from, signal));
    const chars = state.logChars - from.logChars;
    return this.throttle.next(signals, { events, chars }, this.clock.now());
  }

  /** Goes on with the pure units that the batch left. False: there is nothing to wait for. */
  holds(from: RunState, decided: DecidedBatch, proceed: () => void): boolean {
    const waitMs = this.waitAfter(from, decided);
    if (waitMs > 0) this.later(waitMs, proceed);
    return waitMs > 0;
  }

  /** Goes on once those who wait for what was stored have been told of it. */
  soon(proceed: () => void): void {
    const { timers } = this;
    const immediate = setImmediate(() => {
      timers.delete(cancel);
      proceed();
    });
    const cancel = () => clearImmediate(immediate);
    timers.add(cancel);
  }

  private later(waitMs: number, proceed: () => void): void {
    const { clock, timers } = this;
    const cancel = clock.schedule(clock.now() + waitMs, () => {
      timers.delete(cancel);
      proceed();
    });
    timers.add(cancel);
  }

  stop(): void {
    this.open = 0;
    for (const cancel of this.timers) cancel();
    this.timers.clear();
  }
}

function continues(signal: Signal): boolean {
  return signal.type === 'continue' && signal.continuation !== undefined;
}

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

  /** Takes back what waits to be called. */
  private endHold: () => void = () => undefined;
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

  /** Continues in so many ms what a batch left of its turns. */
  add({ continuations }: DecidedBatch, waitMs: number): void {
    const { clock } = this;
    this.open += continuations.length;
    for (const continuation of continuations) {
      const proceed = () => this.proceed({ type: 'continue', at: clock.now(), continuation });
      if (waitMs === 0) proceed();
      else this.later(waitMs, proceed);
    }
  }

  /**
   * How long the run has to wait, in ms, before it goes on by itself after the batch, which was decided on `from`. `isFedByUnits`:
   * units answered in it that no loop can call for ever.
   */
  waitAfter(from: RunState, { results, events, state }: DecidedBatch, isFedByUnits: boolean): number {
    if (isFedByUnits) this.throttle.renew();
    const signals = results
      .flatMap(({ message }) => message.signals)
      .filter((signal) => !this.isOfPureUnit(from, signal));
    const chars = state.logChars - from.logChars;
    return this.throttle.next(signals, { events, chars }, this.clock.now());
  }

  /** What has to be called waits so long; once more, where it waits already. */
  hold(waitMs: number, proceed: () => void): void {
    this.endHold();
    this.endHold = this.later(waitMs, proceed);
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

  private later(waitMs: number, proceed: () => void): () => void {
    const { clock, timers } = this;
    const cancel = clock.schedule(clock.now() + waitMs, () => {
      timers.delete(cancel);
      proceed();
    });
    timers.add(cancel);
    return () => {
      timers.delete(cancel);
      cancel();
    };
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

import type { Signal } from '../../core/signal.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { DecidedBatch } from './decide-batch.js';
import { RunThrottle } from './run-throttle.js';

/** Continues the preempted turns of a run: at once, or when the `RunThrottle` allows it. */
export class PreemptedTurns {
  private readonly throttle = new RunThrottle();
  /** The timers of turns that continue later. */
  private readonly timers = new Set<CancelTimer>();

  /** How many turns were preempted, and are still to be continued. */
  private open = 0;

  constructor(
    private readonly clock: Clock,
    private readonly proceed: (signal: Signal) => void,
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

  /** `chars`: what the batch added to the log. */
  add({ results, continuations, events }: DecidedBatch, chars: number): void {
    const { clock } = this;
    const signals = results.flatMap(({ message }) => message.signals);
    const waitMs = this.throttle.next(signals, { events, chars }, clock.now());
    this.open += continuations.length;
    for (const continuation of continuations) {
      if (waitMs === 0) {
        this.proceed({ type: 'continue', at: clock.now(), continuation });
        continue;
      }
      const cancel = clock.schedule(clock.now() + waitMs, () => {
        this.timers.delete(cancel);
        this.proceed({ type: 'continue', at: clock.now(), continuation });
      });
      this.timers.add(cancel);
    }
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

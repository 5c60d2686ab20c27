import type { Signal } from '../../core/signal.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { DecidedBatch } from './decide-batch.js';
import { RunThrottle } from './run-throttle.js';

/** Continues the preempted turns of a run: at once, or when the `RunThrottle` allows it. */
export class PreemptedTurns {
  private readonly throttle = new RunThrottle();
  /** The timers of turns that continue later. */
  private readonly timers = new Set<CancelTimer>();

  constructor(
    private readonly clock: Clock,
    private readonly proceed: (signal: Signal) => void,
  ) {}

  get isEmpty(): boolean {
    return this.timers.size === 0;
  }

  /** `chars`: what the batch added to the log. */
  add({ results, continuations, events }: DecidedBatch, chars: number): void {
    const { clock } = this;
    const signals = results.flatMap(({ message }) => message.signals);
    const waitMs = this.throttle.next(signals, { events, chars }, clock.now());
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
    for (const cancel of this.timers) cancel();
    this.timers.clear();
  }
}

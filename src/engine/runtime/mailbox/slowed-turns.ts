import type { Signal } from '../../core/signal.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { DecidedBatch } from './decide-batch.js';
import { OwnPace } from './own-pace.js';

/** Has turns of a run that were cut short go on: at once, or when the run has been slow enough (see `OwnPace`). */
export class SlowedTurns {
  private readonly pace = new OwnPace();
  /** Of those that go on in a while. */
  private readonly timers = new Set<CancelTimer>();

  constructor(
    private readonly clock: Clock,
    private readonly goOn: (signal: Signal) => void,
  ) {}

  get isEmpty(): boolean {
    return this.timers.size === 0;
  }

  /** `chars`: what the batch added to the log. */
  add({ outcomes, rests, events }: DecidedBatch, chars: number): void {
    const { clock } = this;
    const signals = outcomes.flatMap(({ mail }) => mail.signals);
    const waitMs = this.pace.next(signals, { events, chars }, clock.now());
    for (const rest of rests) {
      if (waitMs === 0) {
        this.goOn({ type: 'continue', at: clock.now(), rest });
        continue;
      }
      const cancel = clock.schedule(clock.now() + waitMs, () => {
        this.timers.delete(cancel);
        this.goOn({ type: 'continue', at: clock.now(), rest });
      });
      this.timers.add(cancel);
    }
  }

  stop(): void {
    for (const cancel of this.timers) cancel();
    this.timers.clear();
  }
}

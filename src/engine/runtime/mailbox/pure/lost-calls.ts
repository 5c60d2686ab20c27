import type { Signal } from '../../../core/signal.js';
import type { RunState } from '../../../core/state/state.js';

type Begun = (Signal & { readonly type: 'recover' })['begun'];

/**
 * Calls of pure units that had begun when a process died, in a turn that was not stored: the log does not know of their
 * executions. Those are scheduled again, under the same numbers, once the run goes on: then they count as recovered, so
 * that a unit that kills its process is set aside after as many deaths as any other.
 *
 * What the recovery itself appends moves the numbers. Where another branch moves them, too, a count is lost, and the unit is
 * found one death later.
 */
export class LostCalls {
  private readonly attempts = new Map<number, number>();
  /** How many events the recovery appended; null: it is not stored yet. */
  private shift: number | null = null;

  constructor(begun: Begun, state: RunState) {
    for (const { executionId, attempt } of begun)
      if (executionId > state.seq) this.attempts.set(executionId, attempt);
  }

  get isEmpty(): boolean {
    return this.attempts.size === 0;
  }

  /**
   * Removes and returns those that are scheduled by now. `appended`: how many events the last append had; `mayBe`: whether
   * an execution may be one of them. All of them are given up once the run is over.
   */
  takeScheduled(state: RunState, appended: number, mayBe: (executionId: number) => boolean): Begun {
    this.shift ??= appended;
    if (state.phase !== 'live') this.attempts.clear();
    const scheduled: Begun[number][] = [];
    for (const [number, attempt] of this.attempts) {
      const executionId = number + this.shift;
      if (executionId > state.seq) continue;
      this.attempts.delete(number);
      if (mayBe(executionId)) scheduled.push({ executionId, attempt });
    }
    return scheduled;
  }
}

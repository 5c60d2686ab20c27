import type { RunEvent } from '../../../core/log/event.js';
import type { Signal } from '../../../core/signal.js';
import type { RunState } from '../../../core/state/state.js';
import { executionOf } from '../../../core/waits/execution.js';

type Begun = (Signal & { readonly type: 'recover' })['begun'];

/**
 * Calls of pure units that had begun when a process died, in a turn that was not stored: the log does not know of their
 * executions. Those are scheduled again, under the same numbers, once the run goes on: then they count as recovered, so
 * that a unit that kills its process is set aside after as many deaths as any other.
 */
export class LostCalls {
  private readonly attempts = new Map<number, number>();

  constructor(begun: Begun, state: RunState) {
    for (const { executionId, attempt } of begun)
      if (executionId > state.seq) this.attempts.set(executionId, attempt);
  }

  get isEmpty(): boolean {
    return this.attempts.size === 0;
  }

  /** Removes and returns those that these events schedule; all of them are given up once the run is over. */
  takeScheduled(events: readonly RunEvent[], state: RunState): Begun {
    if (state.phase !== 'live') this.attempts.clear();
    const scheduled: Begun[number][] = [];
    for (const { type, seq: executionId } of events) {
      const attempt = type === 'unit-scheduled' ? this.attempts.get(executionId) : undefined;
      if (attempt === undefined) continue;
      this.attempts.delete(executionId);
      if (executionOf(state, executionId) !== undefined) scheduled.push({ executionId, attempt });
    }
    return scheduled;
  }
}

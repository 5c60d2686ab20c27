import { evolve } from '../evolve.js';
import type { Actor } from '../log/actor.js';
import type { RunEvent } from '../log/event.js';
import { stampEvent } from '../log/event-kinds.js';
import { ROOT_SCOPE } from '../state/scope.js';
import type { RunState } from '../state/state.js';

/**
 * The two events that no turn emits (see the README). Turns and these two are all that stamps events: the shell never does.
 *
 * 1. An event continues its log: its seq follows the last one, and its time is never before the last one's.
 */

/** The pause of a run that is not read: where its log ends is all that is known of it. `at`: epoch ms. */
export function quarantine(
  end: { readonly seq: number; readonly at: number },
  at: number,
  error: string,
): RunEvent {
  const pause = stampEvent(
    {
      type: 'paused',
      path: '',
      scope: ROOT_SCOPE,
      unitId: '',
      reason: 'crash-limit',
      executionId: null,
      error,
    },
    end.seq + 1,
    Math.max(at, end.at),
  );
  return { ...pause, newStatus: 'paused' };
}

/** Ends a log that was written elsewhere, and was folded to `state`. `at`: epoch ms. */
export function endImport(
  state: RunState,
  at: number,
  { sha256, by }: { readonly sha256: string; readonly by: Actor },
): { readonly event: RunEvent; readonly state: RunState } {
  const event = stampEvent({ type: 'run-imported', sha256, by }, state.seq + 1, Math.max(at, state.eventAt));
  return { event: Object.freeze(event), state: evolve(state, event) };
}

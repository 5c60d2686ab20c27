import type { RunEvent } from '../../core/log/event.js';
import type { JsonValue } from '../../core/json.js';
import type { ChildEnded, ChildRefused } from '../../core/waits/child-events.js';

interface StepBase {
  /** The seq of the event in the run's log: the `afterSeq` of a reader that has seen it. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
}

/** One thing that a run did, for observers. Never an input, an output or a header. */
export type RunStep = StepBase &
  (
    | {
        /** The unit is called, or waits until there is capacity for a call; `builtin.delay`: it waits. */
        readonly type: 'unit-started';
        readonly unitId: string;
        /** One per call, so that the passes of a loop are told apart; retries keep it. */
        readonly executionId: number;
      }
    | {
        readonly type: 'unit-retry';
        readonly unitId: string;
        readonly executionId: number;
        /** The number of the attempt that failed; counts from 1. */
        readonly attempt: number;
        readonly error: string;
        /** The time until the next attempt. */
        readonly delayMs: number;
      }
    | {
        readonly type: 'unit-finished';
        readonly unitId: string;
        /** Null: the unit took no time and never started (`builtin.set`). */
        readonly executionId: number | null;
      }
    | {
        readonly type: 'unit-failed';
        readonly unitId: string;
        readonly executionId: number;
        readonly attempt: number;
        readonly error: string;
      }
    | { readonly type: 'unit-skipped'; readonly unitId: string }
    | {
        readonly type: 'gate-opened';
        readonly unitId: string;
        readonly gateId: number;
        readonly title: string;
        readonly description: string | null;
        readonly payload: JsonValue;
      }
    | {
        readonly type: 'gate-decided';
        readonly unitId: string;
        readonly gateId: number;
        readonly approved: boolean;
        readonly responder: string;
      }
    | {
        readonly type: 'paused';
        /** The unit before or after which the author wants a pause, or whatever the reason names. */
        readonly unitId: string;
        readonly reason: string;
        /** What is wrong and what to do; null: the author wanted the pause. */
        readonly error: string | null;
      }
    | { readonly type: 'resumed' }
    | { readonly type: 'rewound' }
  );

/** The step that an event shows; null: none. */
export function stepOf(event: RunEvent): RunStep | null {
  const { seq, at } = event;
  switch (event.type) {
    case 'unit-scheduled':
    case 'timer-set':
    case 'child-started':
      return { seq, at, type: 'unit-started', unitId: event.unitId, executionId: seq };
    case 'unit-attempt-failed': {
      const { unitId, executionId, attempt, error, retryAt } = event;
      return { seq, at, type: 'unit-retry', unitId, executionId, attempt, error, delayMs: retryAt - at };
    }
    case 'unit-finished':
      return { seq, at, type: 'unit-finished', unitId: event.unitId, executionId: event.executionId };
    case 'timer-fired':
      return { seq, at, type: 'unit-finished', unitId: event.unitId, executionId: event.timerId };
    case 'child-ended':
    case 'child-refused':
      return childStep(event);
    case 'child-paused':
      return { seq, at, type: 'paused', unitId: event.unitId, reason: 'child', error: null };
    case 'state-written':
      return { seq, at, type: 'unit-finished', unitId: event.unitId, executionId: null };
    case 'unit-failed': {
      const { unitId, executionId, attempt, error } = event;
      return { seq, at, type: 'unit-failed', unitId, executionId, attempt, error };
    }
    case 'unit-skipped':
      return { seq, at, type: 'unit-skipped', unitId: event.unitId };
    case 'gate-opened': {
      const { unitId, title, description, payload } = event;
      return { seq, at, type: 'gate-opened', unitId, gateId: seq, title, description, payload };
    }
    case 'gate-decided': {
      const { unitId, gateId, approved, responder } = event;
      return { seq, at, type: 'gate-decided', unitId, gateId, approved, responder };
    }
    case 'paused':
      return {
        seq,
        at,
        type: 'paused',
        unitId: event.unitId,
        reason: event.reason,
        error: event.error ?? null,
      };
    case 'resumed':
    case 'rewound':
      return { seq, at, type: event.type };
    default:
      return null;
  }
}

/** The unit that started the child ended with it. */
function childStep(event: ChildEnded | ChildRefused): RunStep {
  const { seq, at, unitId, childId: executionId, error } = event;
  if (error === null) return { seq, at, type: 'unit-finished', unitId, executionId };
  return { seq, at, type: 'unit-failed', unitId, executionId, attempt: 1, error };
}

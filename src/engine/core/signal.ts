import type { JsonObject, JsonValue } from './json.js';
import type { Actor } from './log/actor.js';
import type { Origin } from './log/event.js';
import type { RunState } from './state/state.js';

/** What happened, to a run, at `at` (epoch ms). */
export type Signal = { readonly at: number } & (
  | {
      readonly type: 'start';
      readonly runId: string;
      readonly namespace: string;
      readonly input: JsonObject;
      readonly labels: Readonly<Record<string, string>>;
      readonly by: Actor;
      readonly origin: Origin;
      readonly parent: { readonly runId: string; readonly executionId: number } | null;
    }
  | {
      readonly type: 'unit-finished';
      readonly executionId: number;
      readonly attempt: number;
      readonly output: JsonValue;
      readonly patch: JsonObject | null;
      readonly usage: { readonly tokens: number; readonly cost: number } | null;
      readonly metadata: JsonObject | null;
    }
  | {
      readonly type: 'unit-attempt-failed';
      readonly executionId: number;
      readonly attempt: number;
      readonly error: string;
      readonly retryable: boolean;
      readonly outcome: 'refused' | 'unknown';
      readonly retryAfterMs: number | null;
    }
  | {
      readonly type: 'decision';
      readonly gateId: number;
      readonly approved: boolean;
      readonly responder: string;
      readonly by: Actor;
      readonly comment: string | null;
    }
  /** The clock: whatever is due by `at` happens. */
  | { readonly type: 'timer-due' }
  /** Lifts one pause; `null` tries a failed run again. */
  | { readonly type: 'resume'; readonly pauseId: number | null; readonly by: Actor }
  /** Goes back to the state after event `toSeq`, which whoever sends the signal folded, and on from there. */
  | { readonly type: 'rewind'; readonly toSeq: number; readonly prefix: RunState; readonly by: Actor }
  /** A keyed request that found nothing to do, or lost to another; its key must be remembered all the same. */
  | { readonly type: 'note'; readonly request: 'resume' | 'hitl' }
  | { readonly type: 'cancel'; readonly by: Actor }
  /** The run was taken over from a process that died while these were being called. */
  | {
      readonly type: 'recover';
      readonly begun: readonly { readonly executionId: number; readonly attempt: number }[];
    }
  /**
   * Deciding on a signal failed. The run is paused with the reason; the execution that the signal answered (null: it
   * answered none) is held, so that it is not called again.
   */
  | { readonly type: 'undecided'; readonly executionId: number | null; readonly error: string }
  /** Goes on from wherever the log stopped. */
  | { readonly type: 'continue' }
);

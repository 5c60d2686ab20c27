import type { JsonObject, JsonValue } from './json.js';

/** What happened, to a run, at `at` (epoch ms). */
export type Signal = { readonly at: number } & (
  | {
      readonly type: 'start';
      readonly runId: string;
      readonly input: JsonObject;
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
      readonly comment: string | null;
    }
  /** The clock: whatever is due by `at` happens. */
  | { readonly type: 'timer-due' }
  /** Lifts one pause; `null` tries a failed run again. */
  | { readonly type: 'resume'; readonly pauseId: number | null; readonly by: string }
  /** Goes back to the state after event `toSeq`, which the store folded, and on from there. */
  | { readonly type: 'rewind'; readonly toSeq: number; readonly state: JsonValue; readonly by: string }
  /** A request that found nothing to do; its key must be remembered all the same. */
  | { readonly type: 'note'; readonly request: 'resume' | 'hitl' }
  | { readonly type: 'cancel'; readonly by: string }
  /** The service started and found executions in flight. */
  | { readonly type: 'recover' }
  /** Goes on from wherever the log stopped. */
  | { readonly type: 'continue' }
);

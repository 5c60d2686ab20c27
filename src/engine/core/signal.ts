import type { JsonObject } from './json.js';
import type { Actor } from './log/actor.js';
import type { RunParent } from './log/event-base.js';
import type { Origin, RunForked, RunRequest, ScopeId } from './log/event.js';
import type { RunBudget } from './state/run-budget.js';
import type { RunState } from './state/state.js';
import type { WaitSignal } from './waits/kinds.js';

/** What happened to a run as a whole. */
export type CoreSignal =
  | {
      readonly type: 'start';
      readonly runId: string;
      readonly namespace: string;
      readonly input: JsonObject;
      readonly labels: Readonly<Record<string, string>>;
      readonly by: Actor;
      readonly origin: Origin;
      readonly parent: RunParent | null;
      /** It begins where another run stood; absent: at the start of its workflow. */
      readonly fork?: NewFork;
      /** What `spec.vars` gives; absent: the workflow has none. */
      readonly vars?: JsonObject;
    }
  /** The clock: whatever is due by `at` happens. */
  | { readonly type: 'timer-due' }
  /** Goes back to the state after event `toSeq`, which the sender folded, and continues from there. */
  | {
      readonly type: 'rewind';
      readonly toSeq: number;
      readonly baseState: RunState;
      readonly by: Actor;
      /** What the run may spend from now on; null or absent: as much as before. */
      readonly budget?: RunBudget | null;
    }
  /** A keyed request that found nothing to do, or lost to another; its key must be remembered all the same. */
  | { readonly type: 'note'; readonly request: RunRequest }
  /** The units that are being called have `graceMs` to come to an end. */
  | { readonly type: 'cancel'; readonly by: Actor; readonly graceMs: number }
  /** Tries again, once the run is over, what could not be undone. */
  | { readonly type: 'compensate'; readonly by: Actor }
  /** From the run's owner: nothing that was called before a cancel or a pause was requested is in flight any more. */
  | { readonly type: 'in-flight-ended' }
  /** The execution is next, and nothing is left of the budget of its unit. */
  | { readonly type: 'budget-exceeded'; readonly executionId: number }
  /** The run was taken over from a process that died while these were being called. */
  | {
      readonly type: 'recover';
      readonly begun: readonly { readonly executionId: number; readonly attempt: number }[];
    }
  /** The run's parent, which had been notified of its end, waits for it again. */
  | { readonly type: 'rejoin' }
  /** Continues where a turn was preempted; without a `continuation`, from wherever the log stopped. */
  | { readonly type: 'continue'; readonly continuation?: Continuation };

/** Where a fork of a run begins, and how it differs from its source. */
export interface NewFork extends Pick<RunForked, 'fromRunId' | 'before' | 'edits'> {
  /** The state of the other run, which the sender folded; null: the fork begins at the start of its workflow. */
  readonly source: RunState | null;
}

/**
 * What a preempted turn left to do: first the threads that were on their way, the innermost first, then those that had not
 * been visited.
 */
export interface Continuation {
  readonly interrupted: readonly ScopeId[];
  readonly ready: readonly ScopeId[];
  /** Epoch ms of the turn: what continues it within a second has the same instant, so that where it was preempted decides nothing. */
  readonly at: number;
}

/** Something that happened to a run at `at` (epoch ms). Signals for a wait are in the file of its kind, in `waits/`. */
export type Signal = { readonly at: number } & (CoreSignal | Omitted<WaitSignal>);

type Omitted<S> = S extends { readonly at: number } ? Omit<S, 'at'> : never;

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
    }
  /** The clock: whatever is due by `at` happens. */
  | { readonly type: 'timer-due' }
  /** Goes back to the state after event `toSeq`, which whoever sends the signal folded, and on from there. */
  | {
      readonly type: 'rewind';
      readonly toSeq: number;
      readonly prefix: RunState;
      readonly by: Actor;
      /** From now on; null or absent: as it was. */
      readonly budget?: RunBudget | null;
    }
  /** A keyed request that found nothing to do, or lost to another; its key must be remembered all the same. */
  | { readonly type: 'note'; readonly request: RunRequest }
  /** Whoever is being called has so many ms to come to an end. */
  | { readonly type: 'cancel'; readonly by: Actor; readonly graceMs: number }
  /** From the run's owner: of what was called before a cancel or a pause was asked for, nothing is in flight any more. */
  | { readonly type: 'in-flight-ended' }
  /** The execution is next, and nothing is left of the budget of its unit. */
  | { readonly type: 'budget-exceeded'; readonly executionId: number }
  /** The run was taken over from a process that died while these were being called. */
  | {
      readonly type: 'recover';
      readonly begun: readonly { readonly executionId: number; readonly attempt: number }[];
    }
  /** Its parent, which had been told of its end, waits for it again. */
  | { readonly type: 'rejoin' }
  /** Goes on where a turn was cut short; without a `rest`, from wherever the log stopped. */
  | { readonly type: 'continue'; readonly rest?: Rest };

/** Where a new run begins that is a fork, and what it has that its source had not. */
export interface NewFork extends Pick<RunForked, 'fromRunId' | 'before' | 'edits'> {
  /** The state of the other run, which whoever sends the signal folded; null: the fork begins anew. */
  readonly source: RunState | null;
}

/**
 * What a turn that was cut short left to do: threads, in their order. Those that were on their way, the innermost
 * first, and then those that had not been looked at.
 */
export interface Rest {
  readonly interrupted: readonly ScopeId[];
  readonly ready: readonly ScopeId[];
}

/** What happened, to a run, at `at` (epoch ms). What is for a wait is in the file of its kind, in `waits/`. */
export type Signal = { readonly at: number } & (CoreSignal | Omitted<WaitSignal>);

type Omitted<S> = S extends { readonly at: number } ? Omit<S, 'at'> : never;

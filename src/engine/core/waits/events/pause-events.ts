import type { Actor } from '../../log/actor.js';
import type { EventBase, Location } from '../../log/event-base.js';
import type { RunBudget } from '../../state/run-budget.js';
import type { FamilyOrder } from './child-events.js';
import type { Message } from '../wait-kind.js';

/**
 * The run, a thread of it or a call stands still until a person resumes it.
 *
 * This file says what the events, signals and messages of pauses hold, and `pause.ts` what they mean.
 */
export interface Paused extends EventBase, Location {
  readonly type: 'paused';
  readonly unitId: string;
  /**
   * `before`, `after`: the author's. `recovery-limit`: the execution was being called each time the process died.
   * `undecided`: what happened could not be decided upon, by a fault of ours or of the plan. `limit`: the run has exceeded a
   * limit. `crash-limit`: each time that something of the run was read or decided, the process died; the run is quarantined,
   * which means suspended. That event is written without reading the run. `requested`: somebody requested it; the run is
   * suspended once what was in flight has come to its end, or its time is up. `budget`: nothing is left of what the run may
   * spend, and the execution was next.
   */
  readonly reason:
    'before' | 'after' | 'recovery-limit' | 'undecided' | 'limit' | 'crash-limit' | 'requested' | 'budget';
  /** The execution, or the child run, that is frozen (`recovery-limit`, `undecided`, `budget`); null: none is. */
  readonly executionId: number | null;
  /** What is wrong and what to do; absent for pauses that somebody wanted. */
  readonly error?: string;
  /** Who requested it (`requested`). */
  readonly by?: Actor;
  /** Epoch ms until which what is in flight may come to its end (`requested`); null: nothing is, so the run is suspended. */
  readonly graceUntil?: number | null;
  /** Its parent was paused: seq of the parent's event that says so (`requested`). Absent: the run itself was. */
  readonly orderSeq?: number;
}

/** Nothing of a run that is paused on request is in flight any more, or what was is released. */
export interface Suspension extends EventBase {
  readonly type: 'set-aside';
  readonly pauseId: number;
}

export interface Resumed extends EventBase {
  readonly type: 'resumed';
  /** The pause that is lifted (the `seq` of its event); `null` when a failed run is tried again. */
  readonly pauseId: number | null;
  /** The execution that is released with it; null: none is. */
  readonly executionId: number | null;
  /** The run had been suspended: nothing that is open was acted upon meanwhile. */
  readonly wasAside?: true;
  /** What the run may spend from here on; absent: as much as before. */
  readonly budget?: RunBudget;
  readonly by: Actor;
}

export type PauseSignal =
  /** Lifts one pause; `null` tries a failed run again. */
  | {
      readonly type: 'resume';
      readonly pauseId: number | null;
      readonly by: Actor;
      /** What the run may spend from now on; null or absent: as much as before. */
      readonly budget?: RunBudget | null;
    }
  /**
   * Deciding on a signal failed. The run is paused with the reason; the execution whose outcome the signal was (null: it was
   * none) is frozen, so that it is not called again.
   */
  | { readonly type: 'undecided'; readonly executionId: number | null; readonly error: string }
  /** Pauses the run until it is resumed. What is in flight has `graceMs` to come to its end. */
  | { readonly type: 'pause'; readonly by: Actor; readonly graceMs: number }
  /** Resumes the runs that the run waits for, as far as they were paused when `seenSeq` was its last event. */
  | {
      readonly type: 'resume-family';
      readonly seenSeq: number;
      readonly by: Actor;
      readonly budget?: RunBudget | null;
    }
  /** The run's parent was paused, or resumed. */
  | { readonly type: 'follow'; readonly order: FamilyOrder; readonly graceMs: number };

export interface AwaitResume {
  readonly type: 'await-resume';
  readonly pauseId: number;
}

export type PauseMessage = Message & {
  readonly type: 'run-paused';
  readonly reason: Paused['reason'];
  readonly unitId: string;
  /** What is wrong and what to do; for a pause that was requested, who requested it. */
  readonly error: string;
};

import type { Draft, RunState } from '../state/state.js';
import { holdChild, isChild, type Child } from './child.js';
import { executionOf, holdExecution, type Execution } from './execution.js';

/** What a unit is doing outside of the run, and what a pause may keep from it: a call, or a run of another workflow. */
export type Call = Execution | Child;

export function callOf(state: RunState, id: number): Call | undefined {
  const wait = state.waits.get(id);
  return wait !== undefined && isChild(wait) ? wait : executionOf(state, id);
}

/** A held one is neither called nor begun; null lets it go. */
export function holdCall(draft: Draft, id: number, heldBy: number | null): void {
  holdExecution(draft, id, heldBy);
  holdChild(draft, id, heldBy);
}

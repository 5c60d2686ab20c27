import type { Draft, RunState } from '../state/state.js';
import { freezeChild, isChild, type Child } from './child.js';
import { executionOf, freezeExecution, type Execution } from './execution.js';

/** What a unit does outside of the run, and what a pause may freeze: a call, or a run of another workflow. */
export type Call = Execution | Child;

export function callOf(state: RunState, id: number): Call | undefined {
  const wait = state.waits.get(id);
  return wait !== undefined && isChild(wait) ? wait : executionOf(state, id);
}

/** A frozen execution is not called and a frozen child is not begun; null releases it. */
export function freezeCall(draft: Draft, id: number, heldBy: number | null): void {
  freezeExecution(draft, id, heldBy);
  freezeChild(draft, id, heldBy);
}

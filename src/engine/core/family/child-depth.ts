import type { RunState } from '../state/state.js';

/** How many runs a child run may be nested in. */
export const MAX_CHILD_DEPTH = 16;

/** How many runs a child of the run is nested in. */
export function childDepth({ parent }: RunState): number {
  return parent === null ? 1 : (parent.depth ?? 1) + 1;
}

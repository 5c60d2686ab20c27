import type { RunState } from './state.js';

/** How many runs a child run may lie inside of. */
export const MAX_CHILD_DEPTH = 16;

/** How many runs a child of the run lies inside of. */
export function childDepth({ parent }: RunState): number {
  return parent === null ? 1 : (parent.depth ?? 1) + 1;
}

import type { FlowNode } from '../../flow/flow-node.js';
import type { DagPositions } from '../flow-layout.js';

/** All flows of a run: what a dag stands in is laid out around it, and a dag inside of another one before the other. */
export interface LayoutQuestion {
  readonly root: FlowNode;
}

/** One for each dag, the inner ones first, and at the end `done`. */
export type LayoutAnswer =
  | { readonly kind: 'dag'; readonly path: string; readonly positions: DagPositions }
  | { readonly kind: 'done' };

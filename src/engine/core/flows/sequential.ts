import type { FlowBehaviour } from '../turn/behaviour.js';
import { enter, leave, neverProceeds } from '../turn/behaviour.js';
import type { SequentialNode } from '../plan/plan.js';

/** Runs the children sequentially. */
export const sequential: FlowBehaviour<SequentialNode> = {
  enter: (_thread, node) => startAt(node, 0),
  childLeft: (_thread, node, child) => startAt(node, child.slot + 1),
  proceed: neverProceeds,
};

function startAt(node: SequentialNode, position: number) {
  const next = node.order[position];
  return next === undefined ? leave(node) : enter(next);
}

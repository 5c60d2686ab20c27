import type { FlowBehaviour, Step, Thread } from '../behaviour.js';
import { enter, leave, READ, WAIT } from '../behaviour.js';
import type { DagNode } from '../plan.js';
import { childScope, forkKey } from '../scope.js';
import { branchCursor, forkOf, isForkedAt } from './branches.js';

/** The planner, then every executor as soon as what it depends on is complete, then the aggregator. */
export const dag: FlowBehaviour<DagNode> = {
  enter: (thread, node) => (node.planner === null ? open(thread, node) : enter(node.planner)),
  branch: (node, index) => node.executors[index],
  childLeft: (thread, node, child) => (child === node.planner ? open(thread, node) : leave(node)),
  proceed: (thread, node, cursor) => {
    if (cursor.phase !== 'joined') return open(thread, node);
    return node.aggregator === null ? leave(node) : enter(node.aggregator);
  },
};

/** Opens what can begin until a whole round over the executors opened nothing. */
function open(thread: Thread, node: DagNode): Step {
  const { turn, scope } = thread;
  const key = forkKey(scope, node.path);
  const total = node.executors.length;
  for (let openedOne = true; openedOne && forkOf(thread, node).opened < total;) {
    openedOne = false;
    for (let index = 0; index < total; index++) {
      const { opened, closed } = forkOf(thread, node);
      if (turn.isFull || opened - closed >= node.maxConcurrency) return WAIT;
      if (branchCursor(thread, node, index) !== undefined || !canBegin(thread, node, index)) continue;
      thread.advance(childScope(key, index));
      if (!isForkedAt(thread, node)) return WAIT;
      openedOne = true;
    }
  }
  if (turn.isFull || forkOf(thread, node).closed < total) return WAIT;
  turn.emit({ type: 'node-closed', path: node.path, scope, writes: {} });
  return READ;
}

function canBegin(thread: Thread, node: DagNode, index: number): boolean {
  const dependencies = node.dependencies[index] ?? [];
  return dependencies.every((dependency) => branchCursor(thread, node, dependency)?.phase === 'closed');
}

import type { FlowBehaviour, Step, Thread } from '../turn/behaviour.js';
import { enter, leave, READ, WAIT } from '../turn/behaviour.js';
import type { DagNode } from '../plan/plan.js';
import { childScope, forkKey } from '../state/scope.js';
import { branchCursor, forkOf, isForkedAt } from './branches.js';
import type { IndexQueue } from './index-queue.js';
import { dependentsOf, everyone, leaveForLater, readyExecutors } from './ready-executors.js';

/** The planner, then every executor as soon as what it depends on is complete, then the aggregator. */
export const dag: FlowBehaviour<DagNode> = {
  enter: (thread, node) =>
    node.planner === null ? open(thread, node, everyone(thread, node)) : enter(node.planner),
  branch: (node, index) => node.executors[index],
  childLeft: (thread, node, child) =>
    child === node.planner ? open(thread, node, everyone(thread, node)) : leave(node),
  proceed: (thread, node, cursor) => {
    if (cursor.phase !== 'joined') return open(thread, node, readyExecutors(thread, node));
    return node.aggregator === null ? leave(node) : enter(node.aggregator);
  },
};

/**
 * Opens what can begin of those that wait, and what can begin because of that, always the one that is declared first: so
 * the order follows from where the dag stands and not from how it came there, and a turn that was cut short goes on
 * as it would have.
 */
function open(thread: Thread, node: DagNode, waiting: IndexQueue): Step {
  const { turn, scope } = thread;
  const key = forkKey(scope, node.path);
  for (let index = waiting.take(); index !== undefined; index = waiting.take()) {
    const { opened, closed } = forkOf(thread, node);
    if (turn.isFull || opened - closed >= node.maxConcurrency) {
      waiting.add(index);
      leaveForLater(thread, node, waiting);
      return WAIT;
    }
    if (branchCursor(thread, node, index) !== undefined || !canBegin(thread, node, index)) continue;
    thread.advance(childScope(key, index));
    if (!isForkedAt(thread, node)) return WAIT;
    if (isClosed(thread, node, index)) for (const next of dependentsOf(node)[index] ?? []) waiting.add(next);
  }
  if (turn.isFull || forkOf(thread, node).closed < node.executors.length) {
    leaveForLater(thread, node, waiting);
    return WAIT;
  }
  turn.emit({ type: 'node-closed', path: node.path, scope, writes: {} });
  return READ;
}

/**
 * All that it waits for is complete. Looks first at what was found open the last time, in whichever run: one that waits
 * for thousands would else look at all that are complete each time that one more is.
 */
function canBegin(thread: Thread, node: DagNode, index: number): boolean {
  const waitsFor = node.dependencies[index] ?? [];
  if (waitsFor.length === 0) return true;
  let found = FOUND_OPEN.get(node);
  if (found === undefined) FOUND_OPEN.set(node, (found = []));
  const from = found[index] ?? 0;
  for (let offset = 0; offset < waitsFor.length; offset++) {
    const at = (from + offset) % waitsFor.length;
    if (isClosed(thread, node, waitsFor[at] ?? 0)) continue;
    found[index] = at;
    return false;
  }
  return true;
}

function isClosed(thread: Thread, node: DagNode, index: number): boolean {
  return branchCursor(thread, node, index)?.phase === 'closed';
}

/** By executor: the place among what it waits for. Where to look first, never what is found there. */
const FOUND_OPEN = new WeakMap<DagNode, number[]>();

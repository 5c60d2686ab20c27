import type { FlowBehaviour, Step, Thread } from '../../turn/behaviour.js';
import { enter, leave, READ, WAIT } from '../../turn/behaviour.js';
import type { DagNode } from '../../plan/plan.js';
import { childScope, fanOutKey } from '../../state/scope.js';
import { branchCursor, fanOutOf, isFannedOutAt, standAt } from './branches.js';
import type { IndexQueue } from './index-queue.js';
import { dependentsOf, allExecutors, leaveForLater, readyExecutors } from './ready-executors.js';

/** The planner, then every executor as soon as what it depends on is complete, then the aggregator. */
export const dag: FlowBehaviour<DagNode> = {
  enter: (thread, node) =>
    node.planner === null ? open(thread, node, allExecutors(thread, node)) : enter(node.planner),
  branch: (node, index) => node.executors[index],
  childLeft: (thread, node, child) =>
    child === node.planner ? open(thread, node, allExecutors(thread, node)) : leave(node),
  proceed: (thread, node, cursor) => {
    if (cursor.phase !== 'joined') return open(thread, node, readyExecutors(thread, node));
    return node.aggregator === null ? leave(node) : enter(node.aggregator);
  },
};

/**
 * Opens the waiting executors that can begin, and those that can begin because of them, always the one that is declared
 * first: so the order follows from the dag's state and not from how it came about, and a preempted turn continues as it
 * would have.
 */
function open(thread: Thread, node: DagNode, waiting: IndexQueue): Step {
  const { turn, scope } = thread;
  const key = fanOutKey(scope, node.path);
  for (let index = waiting.take(); index !== undefined; index = waiting.take()) {
    const { opened, closed } = fanOutOf(thread, node);
    if (turn.isFull || opened - closed >= node.maxConcurrency) {
      waiting.add(index);
      leaveForLater(thread, node, waiting);
      return WAIT;
    }
    if (branchCursor(thread, node, index) !== undefined || !canBegin(thread, node, index)) continue;
    thread.advance(childScope(key, index));
    if (!isFannedOutAt(thread, node)) return standAt(thread, node);
    if (isClosed(thread, node, index)) for (const next of dependentsOf(node)[index] ?? []) waiting.add(next);
  }
  if (turn.isFull || fanOutOf(thread, node).closed < node.executors.length) {
    leaveForLater(thread, node, waiting);
    return WAIT;
  }
  turn.emit({ type: 'node-closed', path: node.path, scope, writes: {} });
  return READ;
}

/**
 * Whether all dependencies of the executor are complete. Looks first at the one that was found open the last time, in
 * whichever run: an executor with thousands of dependencies would else look at all complete ones each time that another one
 * completes.
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

/** By executor: the index of the dependency to look at first. It is only a hint: its state is read anew each time. */
const FOUND_OPEN = new WeakMap<DagNode, number[]>();

import type { DagNode } from '../../plan/plan.js';
import { fanOutKey, locationOfScope, type FanOut } from '../../state/scope.js';
import type { Thread } from '../../turn/behaviour.js';
import { fanOutOf } from './branches.js';
import { IndexQueue } from './index-queue.js';

/**
 * The executors of a dag that may be able to begin: all that are not open yet and whose dependencies are complete are among
 * them. Looking at every executor after each outcome would cost the square of the dag, so what a turn left for lack of
 * capacity is remembered next to the state that it led to. Where nothing is remembered it is computed anew, and it never
 * says more than the state does: what begins, and in which order, does not depend on it.
 */
export function readyExecutors(thread: Thread, node: DagNode): IndexQueue {
  const { turn, scope } = thread;
  const key = fanOutKey(scope, node.path);
  const before = turn.visitsAll ? undefined : turn.before.forks.get(key);
  const left = before === undefined ? undefined : LEFT.get(before);
  if (left === undefined) return allExecutors(thread, node);
  const ready = left.copy();
  for (const event of turn.events) {
    if (event.type !== 'branch-closed') continue;
    const { fanOut, index } = locationOfScope(event.scope);
    if (fanOut === key) for (const next of dependentsOf(node)[index] ?? []) ready.add(next);
  }
  return ready;
}

/** Remembers the executors of the queue, which may still be able to begin when there is capacity. */
export function leaveForLater(thread: Thread, node: DagNode, queue: IndexQueue): void {
  LEFT.set(fanOutOf(thread, node), queue);
}

/** All executors that may not be open yet; if they began in the order of declaration, those after the last that began. */
export function allExecutors(thread: Thread, node: DagNode): IndexQueue {
  const { opened, end } = fanOutOf(thread, node);
  return new IndexQueue(opened === end ? end : 0, node.executors.length);
}

/** By executor: those that wait for it. Computed once for a plan. */
export function dependentsOf(node: DagNode): readonly (readonly number[])[] {
  const known = DEPENDENTS.get(node);
  if (known !== undefined) return known;
  const dependents: number[][] = node.executors.map(() => []);
  node.dependencies.forEach((waitsFor, index) => {
    for (const dependency of waitsFor) dependents[dependency]?.push(index);
  });
  DEPENDENTS.set(node, dependents);
  return dependents;
}

/** By fan-out, as it is after a turn: a branch that opens or closes makes a new object of it. */
const LEFT = new WeakMap<FanOut, IndexQueue>();

const DEPENDENTS = new WeakMap<DagNode, readonly (readonly number[])[]>();

import type { DagNode } from '../plan/plan.js';
import { forkKey, placeOfScope, type Fork } from '../state/scope.js';
import type { Thread } from '../turn/behaviour.js';
import { forkOf } from './branches.js';
import { IndexQueue } from './index-queue.js';

/**
 * Which executors of a dag may be able to begin: all that are not open yet, and wait for nothing that is not complete,
 * are among them. Looking at every executor after each answer would cost the square of the dag, so that what a turn left
 * for want of room is remembered beside the state that it led to. That is worked out anew where nothing is remembered,
 * and never says more than the state does: what begins, and in which order, does not depend on it.
 */
export function readyExecutors(thread: Thread, node: DagNode): IndexQueue {
  const { turn, scope } = thread;
  const key = forkKey(scope, node.path);
  const before = turn.visitsAll ? undefined : turn.before.forks.get(key);
  const left = before === undefined ? undefined : LEFT.get(before);
  if (left === undefined) return everyone(thread, node);
  const ready = left.copy();
  for (const event of turn.events) {
    if (event.type !== 'branch-closed') continue;
    const { fork, index } = placeOfScope(event.scope);
    if (fork === key) for (const next of dependentsOf(node)[index] ?? []) ready.add(next);
  }
  return ready;
}

/** Those of the queue may still be able to begin when there is room. */
export function leaveForLater(thread: Thread, node: DagNode, queue: IndexQueue): void {
  LEFT.set(forkOf(thread, node), queue);
}

/** All executors that may not be open yet; where they began as they are declared, those are the ones behind the last. */
export function everyone(thread: Thread, node: DagNode): IndexQueue {
  const { opened, end } = forkOf(thread, node);
  return new IndexQueue(opened === end ? end : 0, node.executors.length);
}

/** By executor: those that wait for it. Worked out once for a plan. */
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

/** By fork as it stands after a turn: a branch that opens or closes makes it another one. */
const LEFT = new WeakMap<Fork, IndexQueue>();

const DEPENDENTS = new WeakMap<DagNode, readonly (readonly number[])[]>();

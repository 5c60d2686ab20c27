import type { Thread } from '../turn/behaviour.js';
import { isParked } from '../fold/close-early.js';
import type { FlowNode } from '../plan/plan.js';
import type { Cursor, Fork } from '../state/scope.js';
import { childScope, forkKey } from '../state/scope.js';
import { UNOPENED } from '../fold/scopes.js';

/** The fork's branches as they stand. */
export function forkOf({ turn, scope }: Thread, node: FlowNode): Fork {
  return turn.state.forks.get(forkKey(scope, node.path)) ?? UNOPENED;
}

/** Where a branch stands; undefined before its first event. */
export function branchCursor({ turn, scope }: Thread, node: FlowNode, index: number): Cursor | undefined {
  return turn.state.scopes.get(childScope(forkKey(scope, node.path), index))?.cursor;
}

/** Opens branches in order while there is room, and answers whether all of `total` are closed. */
export function openInOrder(thread: Thread, node: FlowNode, total: number, maxConcurrency: number): boolean {
  const key = forkKey(thread.scope, node.path);
  for (;;) {
    const { opened, closed } = forkOf(thread, node);
    if (closed === total) return true;
    if (thread.turn.isFull || opened === total || opened - closed >= maxConcurrency) return false;
    thread.advance(childScope(key, opened));
    if (!isForkedAt(thread, node)) return false;
  }
}

/** False once the fork is gone or at rest: a branch failed and took everything around it with it. */
export function isForkedAt({ turn, scope }: Thread, node: FlowNode): boolean {
  const cursor = turn.state.scopes.get(scope)?.cursor;
  return cursor?.phase === 'forked' && cursor.path === node.path && !isParked(turn.state, scope);
}

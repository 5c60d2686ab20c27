import { READ, WAIT, type Step, type Thread } from '../../turn/behaviour.js';
import { isParked } from '../../fold/closing/close-early.js';
import type { ScopeId } from '../../log/event-base.js';
import type { FlowNode } from '../../plan/plan.js';
import type { Cursor, FanOut } from '../../state/scope.js';
import { childScope, fanOutKey } from '../../state/scope.js';
import { UNOPENED } from '../../fold/scopes.js';
import { isHalted, isHeldBack } from '../../state/closings.js';

/** The state of the fan-out's branches. */
export function fanOutOf({ turn, scope }: Thread, node: FlowNode): FanOut {
  return turn.state.forks.get(fanOutKey(scope, node.path)) ?? UNOPENED;
}

/** Where a branch stands; undefined before its first event. */
export function branchCursor({ turn, scope }: Thread, node: FlowNode, index: number): Cursor | undefined {
  return turn.state.scopes.get(childScope(fanOutKey(scope, node.path), index))?.cursor;
}

/** Opens branches in order while `maxConcurrency` allows it, and returns whether all of `total` are closed. */
export function openInOrder(
  thread: Thread,
  node: FlowNode,
  total: number,
  maxConcurrency: number,
  begin?: (branch: ScopeId, index: number) => void,
): boolean {
  const key = fanOutKey(thread.scope, node.path);
  for (;;) {
    const { opened, closed } = fanOutOf(thread, node);
    if (closed === total) return true;
    if (thread.turn.isFull || opened === total || opened - closed >= maxConcurrency) return false;
    const branch = childScope(key, opened);
    begin?.(branch, opened);
    thread.advance(branch);
    if (!isFannedOutAt(thread, node)) return false;
  }
}

/** False once the fan-out is gone, parked or closes: a branch failed and took everything around it with it. */
export function isFannedOutAt({ turn, scope }: Thread, node: FlowNode): boolean {
  const cursor = turn.state.scopes.get(scope)?.cursor;
  if (cursor?.phase !== 'forked' || cursor.path !== node.path || isParked(turn.state, scope)) return false;
  return !isHeldBack(turn.state, scope);
}

/** The next step of the fan-out's thread, which opens no branch now. A failure may have moved it on meanwhile. */
export function standAt(thread: Thread, node: FlowNode): Step {
  const { turn, scope } = thread;
  if (isFannedOutAt(thread, node) || !turn.state.scopes.has(scope)) return WAIT;
  return isParked(turn.state, scope) || isHalted(turn.state, scope) ? WAIT : READ;
}

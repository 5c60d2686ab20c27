import type { FlowBehaviour, Thread } from '../turn/behaviour.js';
import { enter, leave, READ } from '../turn/behaviour.js';
import { readCondition } from '../turn/condition.js';
import type { ScopeId } from '../log/event-base.js';
import type { LoopNode } from '../plan/plan.js';
import type { RunState } from '../state/state.js';
import { viewOf } from '../state/view/state-view.js';

/** The body again and again, in the loop's own scope; the condition is read after each pass. */
export const loop: FlowBehaviour<LoopNode> = {
  enter: (_thread, node) => enter(node.body),
  variables: (state, node, scope) => ({ iteration: iterationOf(state, node, scope) }),
  childLeft: (thread, node) => {
    const { turn, scope } = thread;
    const { path } = node;
    const iteration = iterationOf(turn.state, node, scope);
    const value = isDone(thread, node);
    const again = !value && iteration + 1 < node.maxIterations;
    turn.emit({ type: 'condition-read', path, scope, value, iteration, again });
    return READ;
  },
  proceed: (_thread, node, cursor) =>
    cursor.phase === 'read' && cursor.again ? enter(node.body) : leave(node),
};

/** The pass that is under way; counts from 0. */
function iterationOf(state: RunState, node: LoopNode, scope: ScopeId): number {
  return state.scopes.get(scope)?.passes.get(node.path) ?? 0;
}

/** A state key counts as true unless it is absent, null, false, 0 or the empty text. */
function isDone(thread: Thread, node: LoopNode): boolean {
  if (node.until !== null) return readCondition(node.until, thread.variablesAt(node.body));
  if (node.untilStateKey === null) return false;
  const { turn, scope } = thread;
  return Boolean(viewOf(turn.plan, turn.state, scope).get(node.untilStateKey));
}

import { ExpressionError } from '../../../errors/document-errors.js';
import type { FlowBehaviour, FlowVariables, Step, Thread } from './behaviour.js';
import { enter, fail, READ, WAIT } from './behaviour.js';
import { isParked } from '../fold/close-early.js';
import type { NewEvent } from '../log/event.js';
import type { NodePath, ScopeId } from '../log/event-base.js';
import type { ExpressionScope } from '../plan/expression.js';
import type { JsonObject } from '../json.js';
import { FLOWS } from '../flows/registry.js';
import { enterUnit, executeUnit, leaveUnit } from '../nodes/unit.js';
import type { FlowNode } from '../plan/plan.js';
import { nodeAt } from '../plan/plan.js';
import type { Cursor } from '../state/scope.js';
import { depthOf, locationOfScope, ROOT_SCOPE } from '../state/scope.js';
import { viewOf } from '../state/view/state-view.js';
import { isEnding, isStopped } from '../state/status.js';
import type { Turn } from './turn.js';

/**
 * The interpreter. A thread moves only by events that are folded before its next step, so it can be taken up again from its
 * cursor after any of them. It moves only while the run is live, not stopped and the turn not full; an expression that
 * cannot be evaluated fails the thread and nothing else, any other throw leaves `decide`, and the run as it was.
 *
 * Moves every thread that is ready, and those that they make ready, as far as they go. Where the budget ends, the threads on
 * their way are kept in `interrupted`, from the innermost to the one that was ready: a turn that continues with them, and
 * then with what is still ready, causes the events that this one would have caused next.
 */
export function advanceReady(turn: Turn, interrupted: readonly ScopeId[]): void {
  if (isStopped(turn.state) || isEnding(turn.state)) return;
  for (const scope of interrupted) {
    if (turn.isFull) turn.interrupt(scope);
    else visit(turn, scope);
  }
  while (!turn.isFull) {
    const scope = turn.ready.take();
    if (scope === undefined) return;
    visit(turn, scope);
  }
}

function visit(turn: Turn, scope: ScopeId): void {
  if (turn.state.scopes.has(scope) && !isParked(turn.state, scope)) advance(turn, scope);
}

/** Moves the thread of one scope until it waits for something outside, or the turn is full. */
function advance(turn: Turn, scope: ScopeId): void {
  const thread = new ScopeThread(turn, scope);
  let step: Step = READ;
  // A failure is taken up at once: the expression that it came from may have spent the budget, and would again.
  while (step.do !== 'wait' && !(step.do === 'fail' ? turn.mustStop : turn.isFull)) {
    try {
      step = take(thread, step);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const node = evaluatedAt(thread, step);
      step = fail(`${nameOf(node)}: ${error.message}`, node.path);
    }
  }
  if (turn.isFull) turn.interrupt(scope);
}

/** The node whose expression failed. */
function evaluatedAt({ turn, scope }: Thread, step: Step): FlowNode {
  return nodeOf(step) ?? nodeAt(turn.plan, cursorOf(turn, scope).path);
}

/** The node's name in the run's error. */
function nameOf(node: FlowNode): string {
  return node.type === 'unit' ? `Unit ${node.unitId}` : `The ${node.type} at ${node.path}`;
}

/** The node that the step is for; null: the node where the cursor stands. */
function nodeOf(step: Step): FlowNode | null {
  if (step.do === 'enter') return step.node;
  return step.do === 'leave' ? step.node.parent : null;
}

class ScopeThread implements Thread {
  constructor(
    readonly turn: Turn,
    readonly scope: ScopeId,
  ) {}

  advance(child: ScopeId): void {
    const { turn } = this;
    if (!turn.state.scopes.has(child) && depthOf(child) > turn.limits.maxNesting) {
      turn.tooDeep = depthOf(child);
    } else {
      advance(turn, child);
    }
  }

  variablesAt(node: FlowNode): ExpressionScope {
    return variablesAt(this.turn, node, this.scope);
  }
}

function take(thread: Thread, step: Step): Step {
  switch (step.do) {
    case 'read':
      return read(thread, cursorOf(thread.turn, thread.scope));
    case 'enter':
      return step.node.type === 'unit'
        ? enterUnit(thread, step.node, inputAround(thread, step.node))
        : flowOf(step.node).enter(thread, step.node);
    case 'leave':
      return leaveNode(thread, step);
    case 'fail':
      return failThread(thread, step.error, step.at ?? cursorOf(thread.turn, thread.scope).path);
    case 'wait':
      return step;
  }
}

/** Where the scope's thread stands; a branch that has no event yet stands before its first node. */
function cursorOf({ state, plan }: Turn, scope: ScopeId): Cursor {
  const cursor = state.scopes.get(scope)?.cursor;
  // A closed cursor may have no path: the branch failed before its first event.
  if (cursor !== undefined && (cursor.path !== '' || cursor.phase === 'closed')) return cursor;
  if (scope === ROOT_SCOPE) return { phase: 'entering', path: plan.root.path };
  const location = locationOfScope(scope);
  const fanOut = nodeAt(plan, location.path);
  const branch = flowOf(fanOut).branch?.(fanOut, location.index);
  if (branch === undefined)
    throw new Error(`The ${fanOut.type} at ${location.path} has no branch ${location.index}.`);
  return { phase: 'entering', path: branch.path };
}

/** Continues from where the log left the thread. */
function read(thread: Thread, cursor: Cursor): Step {
  if (cursor.phase === 'closed') return WAIT;
  const node = nodeAt(thread.turn.plan, cursor.path);
  switch (cursor.phase) {
    case 'waiting':
      return WAIT;
    case 'failed':
      return fail(cursor.error);
    case 'entering':
      return enter(node);
    case 'left':
      return { do: 'leave', node, metadata: cursor.metadata };
    case 'admitted':
      return node.type === 'unit'
        ? executeUnit(thread, node, { retry: cursor.retry, input: inputAround(thread, node) })
        : enter(node);
    case 'ended':
      return leaveUnit(thread, node, cursor.metadata);
    case 'forked':
    case 'joined':
    case 'chosen':
    case 'read':
    case 'delegating':
      return flowOf(node).proceed(thread, node, cursor);
  }
}

/** Returns to the parent flow; at the top of a scope, ends the branch; at the top of the run, completes it. */
function leaveNode(thread: Thread, { node, metadata }: Step & { do: 'leave' }): Step {
  const { turn, scope } = thread;
  const { parent } = node;
  if (parent === null) {
    return endRun(turn, { type: 'run-completed' });
  }
  if (!node.isBranch) return flowOf(parent).childLeft(thread, parent, node, metadata);
  turn.emit({ type: 'branch-closed', scope, error: null, retried: false });
  turn.ready.add(locationOfScope(scope).parent);
  return WAIT;
}

/** Ends the run with its root thread. A clean-up, whatever became of it, ends with a cancelled run. */
function endRun(turn: Turn, end: NewEvent & { readonly type: 'run-completed' | 'run-failed' }): Step {
  const { cancelling } = turn.state;
  turn.emit(cancelling === null ? end : { type: 'run-cancelled', by: cancelling.by });
  return WAIT;
}

/** The fan-out around a failure decides what it means; at the top it fails the run. */
function failThread({ turn, scope }: Thread, error: string, at: NodePath): Step {
  if (scope === ROOT_SCOPE) {
    return endRun(turn, { type: 'run-failed', error });
  }
  const location = locationOfScope(scope);
  const fanOut = nodeAt(turn.plan, location.path);
  const outer = new ScopeThread(turn, location.parent);
  const step = flowOf(fanOut).branchFailed?.(outer, fanOut, scope, error, at) ?? fail(error, at);
  return step.do === 'fail' ? failThread(outer, step.error, step.at ?? at) : WAIT;
}

/** The state as the scope reads it, and what the nearest flows around the node put in scope. */
function variablesAt(turn: Turn, node: FlowNode, scope: ScopeId): ExpressionScope {
  const { state, plan } = turn;
  const variables: { -readonly [K in keyof FlowVariables]: FlowVariables[K] } = {};
  let id = scope;
  for (let child = node; child.parent !== null; child = child.parent) {
    const flow = child.parent;
    const location = child.isBranch ? locationOfScope(id) : null;
    if (location !== null) id = location.parent;
    const nearest = flowOf(flow).variables?.(state, flow, id, location?.index ?? 0);
    variables.iteration ??= nearest?.iteration;
    if (variables.index !== undefined || nearest?.index === undefined) continue;
    variables.index = nearest.index;
    variables.item = nearest.item;
  }
  const { input, runId, workflowId, createdAt } = state;
  const run = { runId, workflowId, createdAt };
  return { input, state: viewOf(plan, state, scope), run, meter: turn, ...variables };
}

function inputAround(thread: Thread, child: FlowNode): JsonObject | null {
  const { parent } = child;
  return parent === null ? null : (flowOf(parent).childInput?.(thread, parent, child) ?? null);
}

function flowOf<N extends FlowNode>(node: N): FlowBehaviour<FlowNode> {
  if (node.type === 'unit') throw new Error(`The unit at ${node.path} is no flow.`);
  return FLOWS[node.type] as FlowBehaviour<FlowNode>;
}

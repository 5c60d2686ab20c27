import { ExpressionError } from '../../../errors/document-errors.js';
import type { FlowBehaviour, FlowVariables, Step, Thread } from './behaviour.js';
import { enter, fail, passOn, READ, WAIT } from './behaviour.js';
import { errorText } from './failing/error-text.js';
import { OF_A_FLOW } from './failing/failures.js';
import { isParked } from '../fold/closing/close-early.js';
import type { NewEvent } from '../log/event.js';
import type { ScopeId } from '../log/event-base.js';
import type { ExpressionScope } from '../plan/expression.js';
import type { JsonObject } from '../json.js';
import { FLOWS } from '../flows/registry.js';
import { decide, firstEnded } from '../flows/fan-outs/race.js';
import { caught } from '../flows/try.js';
import type { Failure } from '../log/failure.js';
import { enterUnit, executeUnit, leaveUnit } from '../nodes/unit.js';
import type { FlowNode } from '../plan/plan.js';
import { nodeAt, unitAt } from '../plan/plan.js';
import { isHalted, isUnwinding, nearestClosing, nextFinally } from '../state/closings.js';
import type { Closing, Cursor, FailureFacts } from '../state/scope.js';
import { depthOf, locationOfScope, ROOT_SCOPE } from '../state/scope.js';
import { viewOf } from '../state/view/state-view.js';
import { isEnding, isStopped } from '../state/status.js';
import { owes, undoNext } from './failing/compensating.js';
import { endCancelling } from './signals/cancel.js';
import { endBefore } from './signals/compensate.js';
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
  const { state } = turn;
  if (!state.scopes.has(scope) || isParked(state, scope)) return;
  if (isHalted(state, scope)) wakeCloser(turn, scope);
  else advance(turn, scope);
}

/** What goes on, if anything does, is what closes around the scope. */
function wakeCloser({ state, ready }: Turn, scope: ScopeId): void {
  const closer = nearestClosing(state, scope);
  if (closer !== null) ready.add(closer);
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
      step = fail(`${nameOf(node)}: ${error.message}`, node.path, factsOf(node, 'expression'));
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

function take(thread: ScopeThread, step: Step): Step {
  switch (step.do) {
    case 'read':
      return read(thread, cursorOf(thread.turn, thread.scope));
    case 'enter':
      return step.node.type === 'unit'
        ? enterUnit(thread, step.node, inputAround(thread, step.node))
        : flowOf(step.node).enter(thread, step.node);
    case 'leave':
      return leaveNode(thread, step);
    case 'fail': {
      const { error: message, at, facts } = step;
      const path = at ?? cursorOf(thread.turn, thread.scope).path;
      return failThread(thread, { ...facts, message, path });
    }
    case 'pass':
      throw new Error('Only a flow whose child failed passes a failure on.');
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
function read(thread: ScopeThread, cursor: Cursor): Step {
  const { turn, scope } = thread;
  const open = turn.state.scopes.get(scope);
  if (open !== undefined && open.closing !== null && !isUnwinding(open)) {
    // What the scope's own thread waits for while it closes something is a call that undoes another.
    return cursor.phase === 'waiting' ? WAIT : close(thread, open.closing);
  }
  if (cursor.phase === 'closed') return WAIT;
  const node = nodeAt(turn.plan, cursor.path);
  switch (cursor.phase) {
    case 'waiting':
      return WAIT;
    case 'unwound':
      wakeCloser(turn, scope);
      return WAIT;
    case 'failed':
      return fail(cursor.error, null, cursor.facts ?? factsOfFailed(turn, node));
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
    case 'trying':
      return flowOf(node).proceed(thread, node, cursor);
  }
}

/** What is known of a unit's failure that the log tells no more of. */
function factsOfFailed({ plan }: Turn, node: FlowNode): FailureFacts {
  if (node.type !== 'unit') return OF_A_FLOW;
  const { kind } = unitAt(plan, node);
  return factsOf(node, kind === 'approval' ? 'rejected' : kind === 'workflow' ? 'child' : 'unit');
}

function factsOf(node: FlowNode, code: FailureFacts['code']): FailureFacts {
  return node.type === 'unit' ? { code, unitId: node.unitId, attempts: 0 } : { code, attempts: 0 };
}

/** Returns to the parent flow; at the top of a scope, ends the branch; at the top of the run, completes it. */
function leaveNode(thread: ScopeThread, { node, metadata }: Step & { do: 'leave' }): Step {
  const { turn, scope } = thread;
  const { parent } = node;
  if (parent === null) return completeRun(thread);
  if (!node.isBranch) return flowOf(parent).childLeft(thread, parent, node, metadata);
  turn.emit({ type: 'branch-closed', scope, error: null, retried: false });
  turn.ready.add(locationOfScope(scope).parent);
  return WAIT;
}

/** The flow is over: the run completes with what `spec.output` gives, if that can be evaluated. */
function completeRun(thread: ScopeThread): Step {
  const { turn } = thread;
  const { output, root } = turn.plan;
  if (output === null || turn.state.cancelling !== null) return endRun(turn, { type: 'run-completed' });
  try {
    return endRun(turn, { type: 'run-completed', output: output.evaluate(thread.variablesAt(root)) });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const message = errorText(`The output of the workflow: ${error.message}`);
    return failRun(turn, { code: 'expression', message, attempts: 0, path: root.path });
  }
}

/** Ends the run with its root thread. A clean-up, whatever became of it, ends with a cancelled run. */
function endRun(turn: Turn, end: NewEvent & { readonly type: 'run-completed' | 'run-failed' }): Step {
  const { cancelling } = turn.state;
  turn.emit(cancelling === null ? end : { type: 'run-cancelled', by: cancelling.by });
  return WAIT;
}

/**
 * Whoever is nearest around a failure decides what it means: a try in the thread's own scope, the fan-out that the scope is a
 * branch of, and at the top the run, which fails.
 */
function failThread(thread: ScopeThread, failure: Failure): Step {
  const { turn, scope } = thread;
  let left = failure;
  for (const flow of flowsAround(thread)) {
    const step = flowOf(flow).childFailed?.(thread, flow, left) ?? passOn(left);
    if (step.do !== 'pass') return step;
    left = step.failure;
  }
  if (scope === ROOT_SCOPE) return failRun(turn, left);
  const location = locationOfScope(scope);
  const fanOut = nodeAt(turn.plan, location.path);
  const outer = new ScopeThread(turn, location.parent);
  if (flowOf(fanOut).outlivesBranches?.(outer, fanOut) !== true)
    return handOver(thread, failThread(outer, left));
  if (nextFinally(turn.plan, turn.state, scope, '') === null) {
    return handOver(thread, flowOf(fanOut).branchFailed?.(outer, fanOut, scope, left) ?? WAIT);
  }
  turn.emit({ type: 'unwinding', scope, path: '', reason: 'failure', error: left });
  return READ;
}

/** Another thread goes on instead of this one. */
function handOver({ turn, scope }: Thread, step: Step): Step {
  if (step.do !== 'wait' && scope !== ROOT_SCOPE) turn.ready.add(locationOfScope(scope).parent);
  return WAIT;
}

/** The run fails, once each open `finally` has run. */
export function failRun(turn: Turn, error: Failure, reason: 'failure' | 'overrun' = 'failure'): Step {
  const { plan, state } = turn;
  const since = plan.compensateOn.failure ? { since: 0 } : {};
  const isUnwound =
    nextFinally(plan, state, ROOT_SCOPE, '') === null &&
    !owes(plan, state, ROOT_SCOPE, { path: '', ...since });
  if (state.cancelling === null && !isUnwound) {
    turn.emit({ type: 'unwinding', scope: ROOT_SCOPE, path: '', reason, error, ...since });
    turn.ready.add(ROOT_SCOPE);
    return WAIT;
  }
  return endRun(turn, runFailed(turn, error));
}

function runFailed(turn: Turn, failure: Failure): NewEvent & { readonly type: 'run-failed' } {
  const { message, unwound } = failure;
  turn.failure = failure;
  return { type: 'run-failed', error: message, ...(unwound === true ? { unwound } : {}) };
}

/** The flows in the thread's scope that it stands in, from the innermost. A try that it has entered is around it. */
function flowsAround({ turn, scope }: Thread): readonly FlowNode[] {
  const cursor = cursorOf(turn, scope);
  const around: FlowNode[] = [];
  if (cursor.path === '') return around;
  // What was called to undo something stands in no flow: the thread stands where it closes.
  const path = cursor.phase === 'unwound' ? (cursor.over?.path ?? cursor.path) : cursor.path;
  let node = nodeAt(turn.plan, path);
  if (cursor.phase === 'trying') around.push(node);
  for (; !node.isBranch && node.parent !== null; node = node.parent) around.push(node.parent);
  return around;
}

/** What the scope closes: the next `finally` in it, or, once all have run, what closing it was for. */
function close(thread: ScopeThread, closing: Closing): Step {
  const { path, error, reason } = closing;
  const { turn, scope } = thread;
  // Once something is undone, none is open any more: it need not be looked for after each call.
  const next = closing.undoing === undefined ? nextFinally(turn.plan, turn.state, scope, path) : null;
  if (next !== null) {
    if (next.isRunning) return WAIT;
    const exit = { kind: 'unwind' } as const;
    turn.emit({ type: 'finally-begun', path: next.path, scope: next.scope, error, exit });
    if (next.scope === scope) return READ;
    turn.ready.add(next.scope);
    return WAIT;
  }
  if (undoNext(turn, scope, closing)) return READ;
  if (closing.isOvertaken === true) {
    if (!isHalted(turn.state, scope)) return READ;
    wakeCloser(turn, scope);
    return WAIT;
  }
  const failure = error === null ? null : { ...error, unwound: true as const };
  if (path !== '') {
    const node = nodeAt(turn.plan, path);
    const ended = node.type === 'race' ? firstEnded(thread, node) : null;
    if (node.type === 'race' && ended !== null) return decide(thread, node, ended, true);
    if (node.type !== 'try' || error === null)
      throw new Error(`Nothing is closed at ${path}: the log is corrupt.`);
    return caught(thread, node, reason === 'timeout' ? error : (failure ?? error));
  }
  if (scope === ROOT_SCOPE) {
    const before = endBefore(turn.state);
    if (turn.state.cancelling !== null) endCancelling(turn, true);
    else if (failure !== null) endRun(turn, runFailed(turn, failure));
    else if (before !== null) turn.emit(before);
    return WAIT;
  }
  const location = locationOfScope(scope);
  const fanOut = nodeAt(turn.plan, location.path);
  const outer = new ScopeThread(turn, location.parent);
  if (failure !== null) flowOf(fanOut).branchFailed?.(outer, fanOut, scope, failure);
  return WAIT;
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
    const nearest = flowOf(flow).variables?.(state, flow, id, location?.index ?? 0, child);
    variables.iteration ??= nearest?.iteration;
    if (variables.error === undefined) variables.error = nearest?.error;
    if (variables.index !== undefined || nearest?.index === undefined) continue;
    variables.index = nearest.index;
    variables.item = nearest.item;
  }
  const { input, vars, runId, workflowId, createdAt } = state;
  const run = { runId, workflowId, createdAt };
  return { input, state: viewOf(plan, state, scope), run, vars, now: turn.now, meter: turn, ...variables };
}

function inputAround(thread: Thread, child: FlowNode): JsonObject | null {
  const { parent } = child;
  return parent === null ? null : (flowOf(parent).childInput?.(thread, parent, child) ?? null);
}

function flowOf<N extends FlowNode>(node: N): FlowBehaviour<FlowNode> {
  if (node.type === 'unit') throw new Error(`The unit at ${node.path} is no flow.`);
  return FLOWS[node.type] as FlowBehaviour<FlowNode>;
}

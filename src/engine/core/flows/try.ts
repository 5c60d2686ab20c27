import { ExpressionError } from '../../../errors/document-errors.js';
import type { Failure } from '../log/failure.js';
import { parseDuration } from '../plan/duration.js';
import type { TryNode } from '../plan/plan.js';
import { nextFinally } from '../state/closings.js';
import type { OpenTry, TryExit } from '../state/scope.js';
import type { FlowBehaviour, Step, Thread } from '../turn/behaviour.js';
import { enter, passOn, READ } from '../turn/behaviour.js';
import { owes } from '../turn/failing/compensating.js';
import { withCause } from '../turn/failing/failures.js';

/**
 * The body; after a failure inside, the handler; at the end, whatever became of both, the finalizer. All of it runs in the
 * scope around, so that each part reads what those before it wrote.
 */
export const tryFlow: FlowBehaviour<TryNode> = {
  enter(thread, node) {
    const { turn, scope } = thread;
    turn.emit({ type: 'try-entered', path: node.path, scope, lengthMs: lengthOf(thread, node) });
    return READ;
  },
  proceed(thread, node) {
    switch (openAt(thread, node).stage) {
      case 'do':
        return enter(node.body);
      case 'catch':
        return node.handler === null ? end(thread, node, LEAVE) : enter(node.handler);
      case 'finally':
        return node.finalizer === null ? leave(thread, node, LEAVE, null) : enter(node.finalizer);
    }
  },
  childLeft(thread, node, _child, metadata) {
    const { stage, error, exit } = openAt(thread, node);
    switch (stage) {
      case 'do':
        return end(thread, node, { kind: 'leave', metadata });
      case 'catch':
        return end(thread, node, node.rethrows ? { kind: 'fail' } : LEAVE);
      case 'finally':
        return leave(thread, node, exit ?? LEAVE, error);
    }
  },
  childFailed(thread, node, failure) {
    const { stage, error, exit } = openAt(thread, node);
    const { turn, scope } = thread;
    if (stage === 'finally') {
      const isUnwinding = exit?.kind === 'unwind';
      return leave(thread, node, isUnwinding ? exit : { kind: 'fail' }, withCause(failure, error));
    }
    const next = stage === 'catch' ? withCause(failure, error) : failure;
    const isCaught = stage === 'do' && catches(node);
    const { path } = node;
    const since = node.compensates && stage === 'do' ? { since: openAt(thread, node).seq } : {};
    const isOwing = owes(turn.plan, turn.state, scope, { path, ...since });
    if (!isCaught && node.finalizer === null && !isOwing) return passOn(next);
    if (!isOwing && nextFinally(turn.plan, turn.state, scope, path) === null)
      return caught(thread, node, next);
    turn.emit({ type: 'unwinding', scope, path, reason: 'failure', error: next, ...since });
    return READ;
  },
  variables: (state, node, scope, _index, child) =>
    child === node.body ? {} : { error: shown(state.scopes.get(scope)?.tries.get(node.path)?.error ?? null) },
};

/** Nothing is open inside any more: what follows the failure of the part that ran. */
export function caught(thread: Thread, node: TryNode, error: Failure): Step {
  const { turn, scope } = thread;
  const { path } = node;
  if (openAt(thread, node).stage === 'do' && catches(node)) {
    turn.emit({ type: 'failure-caught', path, scope, error });
    return READ;
  }
  return end(thread, node, { kind: 'fail' }, error);
}

const LEAVE: TryExit = { kind: 'leave', metadata: null };

function catches({ handler, ignores }: TryNode): boolean {
  return handler !== null || ignores;
}

/** The body or the handler is over: the finalizer is next, if there is one. */
function end(
  thread: Thread,
  node: TryNode,
  exit: TryExit,
  error: Failure | null = openAt(thread, node).error,
): Step {
  if (node.finalizer === null) return leave(thread, node, exit, error);
  const { turn, scope } = thread;
  turn.emit({ type: 'finally-begun', path: node.path, scope, error, exit });
  return READ;
}

function leave({ turn, scope }: Thread, { path }: TryNode, exit: TryExit, error: Failure | null): Step {
  const failed = exit.kind === 'fail' && error !== null ? { ...error, unwound: true as const } : error;
  turn.emit({ type: 'try-left', path, scope, error: exit.kind === 'leave' ? null : failed, exit });
  return READ;
}

function openAt({ turn, scope }: Thread, { path }: TryNode): OpenTry {
  const open = turn.state.scopes.get(scope)?.tries.get(path);
  if (open === undefined)
    throw new Error(`The try at ${path} is not open in "${scope}": the log is corrupt.`);
  return open;
}

function lengthOf(thread: Thread, node: TryNode): number | null {
  if (node.timeout === null) return null;
  const value = node.timeout.evaluate(thread.variablesAt(node));
  if (typeof value !== 'string') {
    throw new ExpressionError('its timeout must be an ISO 8601 text such as `PT30S` or `P2D`.');
  }
  const parsed = parseDuration(value);
  if (!parsed.ok) throw new ExpressionError(`its timeout: ${parsed.reason}.`);
  return parsed.ms;
}

/** What an author sees of a failure. */
function shown(error: Failure | null) {
  if (error === null) return null;
  const { unwound: _unwound, ...seen } = error;
  return seen;
}

import type { NodePath, ScopeId } from '../log/event-base.js';
import type { Plan } from '../plan/plan.js';
import { childScopesOf } from './child-scopes.js';
import { locationOfScope, ROOT_SCOPE, type Closing, type OpenTry, type Scope } from './scope.js';
import type { RunState } from './state.js';

/** The scope, this one or one around it, that closes something early; null: none does. */
export function nearestClosing({ scopes }: RunState, id: ScopeId): ScopeId | null {
  for (let at = id; ; at = locationOfScope(at).parent) {
    if ((scopes.get(at)?.closing ?? null) !== null) return at;
    if (at === ROOT_SCOPE) return null;
  }
}

/** What a scope closes, from the innermost on. */
export function closingsOf(closing: Closing | null): readonly Closing[] {
  const open: Closing[] = [];
  for (let at = closing; at !== null; at = at.around ?? null) open.push(at);
  return open;
}

/** The inverse of `closingsOf`. */
export function nested(closings: readonly Closing[]): Closing | null {
  return closings.reduceRight<Closing | null>((around, { around: _around, ...one }) => {
    return around === null ? one : { ...one, around };
  }, null);
}

/** What the scope still closes once the node at the path is past. */
export function closingAround(closing: Closing | null, path: NodePath): Closing | null {
  return nested(closingsOf(closing).filter((one) => !isAtOrInside(one.path, path)));
}

/** The closing inside of the node that undoes what was done, or is to, and has not come to its end. `path`: null for any. */
export function undoingInside(scope: Scope | undefined, path: NodePath | '' | null): Closing | null {
  const open = closingsOf(scope?.closing ?? null).filter(({ since }) => since !== undefined);
  return open.find((one) => path === null || (one.path !== path && isInside(one.path, path))) ?? null;
}

/** Whether a thread of the scope runs a `finally` because something around it closes. */
export function isUnwinding({ tries, closing }: Scope): boolean {
  return runningFinally(tries, closing?.path ?? '', 'unwind') !== null;
}

/** Whether the scope, or what is around it, closes, and its thread runs no `finally` for that. */
export function isHeldBack(state: RunState, id: ScopeId): boolean {
  return closerOf(state, id) !== null;
}

/** As `isHeldBack`, but for the thread that does the closing. */
export function isHalted(state: RunState, id: ScopeId): boolean {
  const closer = closerOf(state, id);
  return closer !== null && closer !== id;
}

function closerOf({ scopes }: RunState, id: ScopeId): ScopeId | null {
  for (let at = id; ; at = locationOfScope(at).parent) {
    const scope = scopes.get(at);
    if (scope !== undefined && scope.tries.size > 0 && isUnwinding(scope)) return null;
    if ((scope?.closing ?? null) !== null) return at;
    if (at === ROOT_SCOPE) return null;
  }
}

/**
 * The `finally` that runs inside of the node, the outermost of them: it comes to its end whatever closes. Null: none does.
 * `path`: '' for all of the scope.
 */
export function runningFinally(
  tries: Scope['tries'],
  path: NodePath | '',
  exit?: 'unwind',
): readonly [path: NodePath, open: OpenTry] | null {
  let outermost: readonly [NodePath, OpenTry] | null = null;
  tries.forEach((open, at) => {
    if (open.stage !== 'finally' || !isInside(at, path)) return;
    if (exit !== undefined && open.exit?.kind !== exit) return;
    if (outermost === null || at.length < outermost[0].length) outermost = [at, open];
  });
  return outermost;
}

/** Whether the path is inside of the node at another one; all paths are inside of ''. */
export function isInside(path: NodePath, around: NodePath | ''): boolean {
  return around === '' || path.startsWith(`${around}/`);
}

export function isAtOrInside(path: NodePath | '', around: NodePath | ''): boolean {
  return path === around || isInside(path, around);
}

/** A `finally`, or a closing inside that has to undo what was done, which runs. */
export interface NextFinally {
  readonly scope: ScopeId;
  readonly path: NodePath;
  /** It has begun. */
  readonly isRunning: boolean;
}

/** The `finally` that is next, or runs, of those that are open inside of the node, or what is undone there; null: there is none. */
export function nextFinally(
  plan: Plan,
  state: RunState,
  id: ScopeId,
  path: NodePath | '',
): NextFinally | null {
  const scope = state.scopes.get(id);
  if (scope === undefined) return null;
  const running = runningFinally(scope.tries, path);
  if (running !== null) return { scope: id, path: running[0], isRunning: true };
  const inner = undoingInside(scope, path);
  if (inner !== null) return { scope: id, path: inner.path, isRunning: true };
  for (const child of childScopesOf(state, id, scope.cursor)) {
    const undoing = undoingInside(state.scopes.get(child), null);
    if (undoing !== null) return { scope: child, path: undoing.path, isRunning: true };
    const next = nextFinally(plan, state, child, '');
    if (next !== null) return next;
  }
  let innermost: NodePath | null = null;
  scope.tries.forEach((_open, at) => {
    const node = isInside(at, path) ? plan.nodes.get(at) : undefined;
    if (node?.type !== 'try' || node.finalizer === null) return;
    if (innermost === null || at.length > innermost.length) innermost = at;
  });
  return innermost === null ? null : { scope: id, path: innermost, isRunning: false };
}

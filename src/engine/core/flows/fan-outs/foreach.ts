import { ExpressionError } from '../../../../errors/document-errors.js';
import type { FlowBehaviour, Step, Thread } from '../../turn/behaviour.js';
import { fail, leave, READ, WAIT } from '../../turn/behaviour.js';
import { errorsTogether } from '../../turn/failing/error-text.js';
import type { JsonObject, JsonValue } from '../../json.js';
import { unitsInside, type ForeachNode } from '../../plan/plan.js';
import type { ScopeId } from '../../log/event-base.js';
import { childScope, fanOutKey, type Cursor } from '../../state/scope.js';
import { branchCursor, fanOutOf, openInOrder, standAt } from './branches.js';

const MAX_KEY_CHARS = 256;

/** One pass per item, each in its own scope, joined in item order. */
export const foreach: FlowBehaviour<ForeachNode> = {
  enter: (thread, node) => {
    const { turn, scope } = thread;
    const items = node.items.evaluate(thread.variablesAt(node));
    if (!Array.isArray(items)) {
      return fail(
        `The items of the foreach at ${node.path} are no list: ${node.items.source} must give one.`,
        node.path,
        { code: 'expression', attempts: 0 },
      );
    }
    turn.emit({
      type: 'items-opened',
      kind: 'passes',
      path: node.path,
      scope,
      items: items as readonly JsonValue[],
    });
    return READ;
  },
  branch: (node) => node.body,
  variables: (state, node, scope, index) => ({
    index,
    item: state.forks.get(fanOutKey(scope, node.path))?.items?.[index] ?? null,
  }),
  childLeft: (_thread, node) => leave(node),
  proceed: (thread, node, cursor) => (cursor.phase === 'joined' ? leave(node) : open(thread, node)),
  outlivesBranches: (thread, node) =>
    node.failureStrategy !== 'fail-fast' && failuresOf(thread, node) < mostFailures(thread, node),
  branchFailed(thread, node, branch, { message: error, path: at, unwound = false, ...failure }) {
    const { turn, scope } = thread;
    const isInside = turn.state.scopes.get(branch)?.cursor.path !== at;
    const { code, unitId, attempts } = failure;
    turn.emit({
      type: 'branch-closed',
      scope: branch,
      error,
      retried: node.failureStrategy === 'collect-errors' && !unwound,
      ...(isInside && { failedAt: at }),
      ...(node.failures === null
        ? {}
        : { facts: { code, attempts, ...(unitId === undefined ? {} : { unitId }) } }),
      ...(node.maxFailures === null ? {} : { failures: failuresOf(thread, node) + 1 }),
    });
    turn.ready.add(scope);
    return WAIT;
  },
};

function failuresOf(thread: Thread, node: ForeachNode): number {
  return fanOutOf(thread, node).failures ?? 0;
}

/** How many passes may fail before all of it does. */
function mostFailures(thread: Thread, { maxFailures, ...node }: ForeachNode): number {
  if (maxFailures === null) return Infinity;
  if ('count' in maxFailures) return maxFailures.count;
  const total = fanOutOf(thread, { ...node, maxFailures }).items?.length ?? 0;
  return Math.floor((total * maxFailures.percent) / 100);
}

/** Names the item of a pass, before anything of the pass happens. */
function openPass(thread: Thread, node: ForeachNode, branch: ScopeId, index: number): void {
  if (node.itemKey === null) return;
  const item = fanOutOf(thread, node).items?.[index] ?? null;
  const value = node.itemKey.evaluate({ ...thread.variablesAt(node), item, index });
  const key = typeof value === 'number' ? String(value) : value;
  if (typeof key !== 'string' || key.length > MAX_KEY_CHARS) {
    throw new ExpressionError(
      `its itemKey must give a text of at most ${MAX_KEY_CHARS} characters, and gives none for the item ${index}.`,
    );
  }
  thread.turn.emit({ type: 'pass-opened', scope: branch, key });
}

function open(thread: Thread, node: ForeachNode): Step {
  const { turn, scope } = thread;
  const total = fanOutOf(thread, node).items?.length ?? 0;
  const begin = (branch: ScopeId, index: number): void => openPass(thread, node, branch, index);
  if (!openInOrder(thread, node, total, node.maxConcurrency, begin)) return standAt(thread, node);
  const failed = node.failureStrategy === 'fail-fast' ? [] : failedPasses(thread, node, total);
  if (failed.length > 0 && node.failureStrategy === 'collect-errors') return failTogether(failed, total);
  turn.emit({ type: 'node-closed', path: node.path, scope, writes: writesOf(thread, node, total, failed) });
  return READ;
}

interface FailedPass {
  readonly index: number;
  readonly unitId: string;
  readonly cursor: Cursor & { readonly phase: 'closed' };
  readonly error: string;
}

function failedPasses(thread: Thread, node: ForeachNode, total: number): readonly FailedPass[] {
  const failed: FailedPass[] = [];
  for (let index = 0; index < total; index++) {
    const cursor = branchCursor(thread, node, index);
    if (cursor?.phase !== 'closed' || cursor.error === null) continue;
    const at = thread.turn.plan.nodes.get(cursor.path) ?? node.body;
    const unitId = cursor.facts?.unitId ?? unitsInside(thread.turn.plan, at)[0] ?? at.path;
    failed.push({ index, unitId, cursor, error: cursor.error });
  }
  return failed;
}

function failTogether(failed: readonly FailedPass[], total: number): Step {
  const isUnwound = failed.some(({ cursor }) => cursor.failedAt === null);
  return fail(
    `${failed.length} of ${total} passes failed: ${errorsTogether(failed.map(({ error }) => error))}`,
    failed[0]?.cursor.path ?? null,
    { code: 'unit', attempts: 0, ...(isUnwound ? { unwound: true } : {}) },
  );
}

function writesOf(
  thread: Thread,
  node: ForeachNode,
  total: number,
  failed: readonly FailedPass[],
): JsonObject {
  const writes: Record<string, JsonValue> = {};
  if (node.collect !== null) writes[node.collect] = collected(thread, node, total);
  for (const { unitId, error } of failed) writes[`errors.${unitId}`] = error;
  if (node.failures === null) return writes;
  const fanOut = fanOutKey(thread.scope, node.path);
  writes[node.failures] = failed.map(({ index, unitId, error: message, cursor }) => {
    const itemKey = thread.turn.state.scopes.get(childScope(fanOut, index))?.key ?? null;
    const code = cursor.facts?.code ?? 'unit';
    return { index, ...(itemKey === null ? {} : { itemKey }), unitId, message, code };
  });
  return writes;
}

/**
 * By item: the output of its pass, which is that of the last unit, as declared, that wrote one; null without any, and where
 * the pass failed. It is never that of the last one in time: what is collected must not depend on timing.
 */
function collected({ turn, scope }: Thread, node: ForeachNode, total: number): JsonValue[] {
  const key = fanOutKey(scope, node.path);
  const outputKeys = unitsInside(turn.plan, node.body)
    .map((unitId) => `output.${unitId}`)
    .toReversed();
  return Array.from({ length: total }, (_, index) => {
    const pass = turn.state.scopes.get(childScope(key, index));
    if (pass?.cursor.phase === 'closed' && pass.cursor.error !== null) return null;
    const last = outputKeys.find((outputKey) => pass?.writes.has(outputKey));
    return last === undefined ? null : (pass?.writes.get(last)?.value ?? null);
  });
}

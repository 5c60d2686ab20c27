import type { FlowBehaviour, Step, Thread } from '../turn/behaviour.js';
import { fail, leave, READ, WAIT } from '../turn/behaviour.js';
import type { JsonValue } from '../json.js';
import { unitsInside, type ForeachNode } from '../plan/plan.js';
import { childScope, fanOutKey } from '../state/scope.js';
import { fanOutOf, openInOrder } from './branches.js';

/** One pass per item, each in its own scope, joined in item order. */
export const foreach: FlowBehaviour<ForeachNode> = {
  enter: (thread, node) => {
    const { turn, scope } = thread;
    const items = node.items.evaluate(thread.variablesAt(node));
    if (!Array.isArray(items)) {
      return fail(
        `The items of the foreach at ${node.path} are no list: ${node.items.source} must give one.`,
        node.path,
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
};

function open(thread: Thread, node: ForeachNode): Step {
  const { turn, scope } = thread;
  const total = fanOutOf(thread, node).items?.length ?? 0;
  if (!openInOrder(thread, node, total, node.maxConcurrency)) return WAIT;
  const writes = node.collect === null ? {} : { [node.collect]: collected(thread, node, total) };
  turn.emit({ type: 'node-closed', path: node.path, scope, writes });
  return READ;
}

/**
 * By item: the output of its pass, which is that of the last unit, as declared, that wrote one; null without any. It is
 * never that of the last one in time: what is collected must not depend on timing.
 */
function collected({ turn, scope }: Thread, node: ForeachNode, total: number): JsonValue[] {
  const key = fanOutKey(scope, node.path);
  const outputKeys = unitsInside(turn.plan, node.body)
    .map((unitId) => `output.${unitId}`)
    .toReversed();
  return Array.from({ length: total }, (_, index) => {
    const writes = turn.state.scopes.get(childScope(key, index))?.writes;
    const last = outputKeys.find((outputKey) => writes?.has(outputKey));
    return last === undefined ? null : (writes?.get(last)?.value ?? null);
  });
}

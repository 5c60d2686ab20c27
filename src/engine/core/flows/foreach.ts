import type { FlowBehaviour, Step, Thread } from '../behaviour.js';
import { fail, leave, READ, WAIT } from '../behaviour.js';
import type { JsonValue } from '../json.js';
import type { ForeachNode } from '../plan.js';
import { childScope, forkKey } from '../scope.js';
import { forkOf, openInOrder } from './branches.js';

/** One pass per item, each in its own scope, joined in item order. */
export const foreach: FlowBehaviour<ForeachNode> = {
  enter: ({ turn, scope }, node) => {
    const items = node.items.evaluate(turn.expressionScope(node, scope));
    if (!Array.isArray(items)) {
      return fail(`The items of the foreach at ${node.path} are no list: ${node.items.source} must give one.`);
    }
    turn.emit({ type: 'items-opened', kind: 'passes', path: node.path, scope, items: items as readonly JsonValue[] });
    return READ;
  },
  childLeft: (_thread, node) => leave(node),
  proceed: (thread, node, cursor) => (cursor.phase === 'joined' ? leave(node) : open(thread, node)),
};

function open(thread: Thread, node: ForeachNode): Step {
  const { turn, scope } = thread;
  const total = forkOf(thread, node).items?.length ?? 0;
  if (!openInOrder(thread, node, total, node.maxConcurrency)) return WAIT;
  const writes = node.collect === null ? {} : { [node.collect]: collected(thread, node, total) };
  turn.emit({ type: 'node-closed', path: node.path, scope, writes });
  return READ;
}

/** By item: the last output that its pass wrote; null for a pass without one. */
function collected({ turn, scope }: Thread, node: ForeachNode, total: number): JsonValue[] {
  const key = forkKey(scope, node.path);
  return Array.from({ length: total }, (_, index) => {
    let last: { seq: number; value: JsonValue } = { seq: 0, value: null };
    turn.state.scopes.get(childScope(key, index))?.writes.forEach((write, name) => {
      if (name.startsWith('output.') && write.seq > last.seq) last = write;
    });
    return last.value;
  });
}

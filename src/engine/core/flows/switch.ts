import type { FlowBehaviour } from '../turn/behaviour.js';
import { enter, leave, READ } from '../turn/behaviour.js';
import { readCondition } from '../turn/condition.js';
import type { SwitchNode } from '../plan/plan.js';

const DEFAULT = 'default';

/** The first case whose condition is true; without one, the default; without a default, nothing. */
export const switchFlow: FlowBehaviour<SwitchNode> = {
  enter: (thread, node) => {
    const { turn, scope } = thread;
    const variables = thread.variablesAt(node);
    const index = node.cases.findIndex(({ condition }) => readCondition(condition, variables));
    const branch = index === -1 ? DEFAULT : String(index);
    turn.emit({ type: 'branch-chosen', path: node.path, scope, branch, source: null, task: null });
    return READ;
  },
  childLeft: (_thread, node) => leave(node),
  proceed: (_thread, node, cursor) => {
    const branch = cursor.phase === 'chosen' ? cursor.branch : DEFAULT;
    const next = branch === DEFAULT ? node.fallback : (node.cases[Number(branch)]?.flow ?? null);
    return next === null ? leave(node) : enter(next);
  },
};

import type { FlowBehaviour, Step, Thread } from '../turn/behaviour.js';
import { enter, fail, leave, READ } from '../turn/behaviour.js';
import type { JsonObject } from '../json.js';
import type { RouterNode } from '../plan/plan.js';
import { viewOf } from '../state/view/state-view.js';

/** Runs the router unit; its outcome names the route. */
export const router: FlowBehaviour<RouterNode> = {
  enter: (_thread, node) => enter(node.router),
  childLeft: (thread, node, child, metadata) =>
    child === node.router ? choose(thread, node, metadata) : leave(node),
  proceed: (_thread, node, cursor) => {
    const chosen = cursor.phase === 'chosen' ? node.routes.get(cursor.branch) : undefined;
    const next = chosen ?? node.fallback;
    return next === null ? leave(node) : enter(next);
  },
};

function choose(thread: Thread, node: RouterNode, metadata: JsonObject | null): Step {
  const { turn, scope } = thread;
  const branch = routeOf(thread, node, metadata);
  if (branch === null || (!node.routes.has(branch) && node.fallback === null)) {
    const routes = [...node.routes.keys()].join(', ');
    const got = branch === null ? 'no route' : `the route ${JSON.stringify(branch.slice(0, 200))}`;
    return fail(
      `The router at ${node.path} got ${got}; its routes are ${routes}. Add the route or a default.`,
      null,
      { code: 'route', attempts: 0 },
    );
  }
  turn.emit({ type: 'branch-chosen', path: node.path, scope, branch, source: null, task: null });
  return READ;
}

/** `metadata.route` of the unit's outcome, else its output as text, trimmed; null for neither. */
function routeOf({ turn, scope }: Thread, node: RouterNode, metadata: JsonObject | null): string | null {
  const route = metadata?.['route'];
  if (typeof route === 'string') return route.trim();
  const unitId = node.router.type === 'unit' ? node.router.unitId : '';
  const output = viewOf(turn.plan, turn.state, scope).get(`output.${unitId}`);
  if (typeof output === 'string') return output.trim();
  return typeof output === 'number' || typeof output === 'boolean' ? String(output) : null;
}

import { FLOWS } from '../../core/flows/registry.js';
import type { NodePath, ScopeId } from '../../core/log/event-base.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Plan } from '../../core/plan/plan.js';
import { childScope, fanOutKey, locationOfScope, ROOT_SCOPE } from '../../core/state/scope.js';
import type { RunState } from '../../core/state/state.js';

const WITH_BRANCHES: ReadonlySet<string> = new Set(
  Object.entries(FLOWS).flatMap(([type, { branch }]) => (branch === undefined ? [] : [type])),
);

/**
 * Checks that the locations that events name are in the plan. Folding walks from scope to scope and counts branches: a scope
 * that no flow opens could make it walk for ever.
 */
export class CheckedLocations {
  /** The most branches of one node that may have been passed over: those of a dag open in any order. */
  private readonly mostUnopened: number;
  private readonly known = new Set<ScopeId>([ROOT_SCOPE]);

  constructor(private readonly plan: Plan) {
    this.mostUnopened = plan.nodes.size;
  }

  /** What is wrong with the location of an event, worded to follow a noun; null: nothing. */
  problemOf(event: RunEvent): string | null {
    // The location is one in its source, whose definition may be another.
    if (event.type === 'run-forked') return null;
    const failedAt = event.type === 'branch-closed' ? event.failedAt : undefined;
    const path = 'path' in event ? event.path : failedAt;
    const scope = 'scope' in event ? event.scope : undefined;
    if (path !== undefined && !this.isNode(path))
      return `is of ${shown(path)}, which the workflow does not have`;
    if (scope !== undefined && !this.isScope(scope))
      return `is of the scope ${shown(scope)}, which no flow opens`;
    return null;
  }

  /** Whether the fan-outs around a scope have about as many branches as were opened, after an event of it was folded. */
  isCounted({ forks }: RunState, scope: ScopeId): boolean {
    for (let at = scope; at !== ROOT_SCOPE;) {
      const { fanOut: key, parent } = locationOfScope(at);
      const fanOut = forks.get(key);
      if (fanOut !== undefined && fanOut.end > fanOut.opened + this.mostUnopened) return false;
      at = parent;
    }
    return true;
  }

  /** The path is empty for a run that has not begun its first node. */
  private isNode(path: NodePath): boolean {
    return path === '' || this.plan.nodes.has(path) || path === this.plan.onCancel?.path;
  }

  private isScope(scope: ScopeId): boolean {
    if (this.known.has(scope)) return true;
    let inside: NodePath | null = null;
    for (let at = scope; at !== ROOT_SCOPE;) {
      const { parent, path, index } = locationOfScope(at);
      const isWritten =
        Number.isSafeInteger(index) && index >= 0 && childScope(fanOutKey(parent, path), index) === at;
      const type = this.plan.nodes.get(path)?.type ?? (path === this.plan.onCancel?.path ? 'parallel' : '');
      // Fan-outs are nested: so there are no more of them than levels in the document.
      if (!isWritten || !WITH_BRANCHES.has(type) || inside?.startsWith(`${path}/`) === false) return false;
      inside = path;
      at = parent;
    }
    this.known.add(scope);
    return true;
  }
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

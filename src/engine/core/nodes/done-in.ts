import type { ScopeId } from '../log/event-base.js';
import type { UnitNode } from '../plan/plan.js';
import type { DoneIn } from '../state/debts/debt.js';
import { locationOfScope, ROOT_SCOPE } from '../state/scope.js';
import type { RunState } from '../state/state.js';
import type { Thread } from '../turn/behaviour.js';

/** Where in its loops and foreachs the unit stands, for what undoes it. */
export function doneIn(thread: Thread, node: UnitNode): DoneIn {
  const { index, iteration } = thread.variablesAt(node);
  const itemKey = keyOfPass(thread.turn.state, thread.scope);
  return {
    ...(index === undefined ? {} : { index }),
    ...(itemKey === null ? {} : { itemKey }),
    ...(iteration === undefined ? {} : { iteration }),
  };
}

/** What the item of the nearest pass is called. */
function keyOfPass({ scopes }: RunState, scope: ScopeId): string | null {
  for (let at = scope; ; at = locationOfScope(at).parent) {
    const key = scopes.get(at)?.key ?? null;
    if (key !== null || at === ROOT_SCOPE) return key;
  }
}

import type { NamedItem } from '../log/event-base.js';
import type { NewEvent } from '../log/event.js';
import type { Plan } from '../plan/plan.js';
import type { ScopeId } from '../log/event-base.js';
import { locationOfScope, ROOT_SCOPE } from '../state/scope.js';
import type { RunState } from '../state/state.js';

const NAMING = new WeakMap<Plan, boolean>();

/** Whether a foreach of the plan names its items: else nothing is looked for. */
export function namesItems(plan: Plan): boolean {
  const known = NAMING.get(plan);
  if (known !== undefined) return known;
  let names = false;
  for (const node of plan.nodes.values()) names ||= node.type === 'foreach' && node.itemKey !== null;
  NAMING.set(plan, names);
  return names;
}

/** The named item that something in the scope belongs to, the innermost; undefined: none. */
export function itemAround({ scopes }: Pick<RunState, 'scopes'>, scope: ScopeId): NamedItem | undefined {
  for (let id = scope; id !== ROOT_SCOPE; id = locationOfScope(id).parent) {
    const key = scopes.get(id)?.key ?? null;
    if (key !== null) return { index: locationOfScope(id).index, key };
  }
  return undefined;
}

/** The named item that an event about a unit belongs to, before it is folded. */
export function itemOf(state: RunState, event: NewEvent): NamedItem | undefined {
  if (!('unitId' in event)) return undefined;
  if ('scope' in event) return itemAround(state, event.scope);
  const wait = state.waits.get(waitIn(event) ?? 0);
  return wait === undefined ? undefined : itemAround(state, wait.scope);
}

function waitIn(event: NewEvent): number | null {
  if ('executionId' in event) return event.executionId;
  if ('gateId' in event) return event.gateId;
  if ('timerId' in event) return event.timerId;
  return 'childId' in event ? event.childId : null;
}

import { FLOWS } from './flows/registry.js';
import type { NodePath } from './log/event-base.js';
import type { FlowNode, Plan } from './plan/plan.js';
import { closingsOf } from './state/closings.js';
import { childScope, locationOfScope, ROOT_SCOPE, type Cursor, type OpenTry } from './state/scope.js';
import type { RunState } from './state/state.js';
import type { FlowBehaviour } from './turn/behaviour.js';

/**
 * The paths at which a run of the one plan stands, or to which it has to come back, and where the other plan has something
 * else or nothing: sorted, each once. None: the run can continue under the other plan.
 */
export function locationsThatDiffer(state: RunState, from: Plan, to: Plan): readonly NodePath[] {
  const differing = new Set<NodePath>();
  const known = new Map<NodePath, boolean>();
  const look = (path: NodePath): void => {
    if (!isSameAt(path, from, to, known)) differing.add(path);
  };
  state.scopes.forEach(({ cursor, passes, rounds, tries, closing }, id) => {
    lookAtCursor(cursor, from, to, look);
    passes.forEach((_count, path) => look(path));
    rounds.forEach((_round, path) => look(path));
    tries.forEach((open, path) => {
      look(path);
      if (!goesOnAlike(open, from.nodes.get(path), to.nodes.get(path))) differing.add(path);
    });
    for (const { path } of closingsOf(closing)) if (path !== '') look(path);
    if (id === ROOT_SCOPE) return;
    const { path, index } = locationOfScope(id);
    look(path);
    // A branch that failed before its first event stands nowhere, and is counted all the same.
    if (branchPath(from, path, index) !== branchPath(to, path, index)) differing.add(path);
  });
  state.forks.forEach((fanOut, key) => {
    const { path } = locationOfScope(childScope(key, 0));
    const node = to.nodes.get(path);
    // Since when the others of a race are undone is known from its beginning on, or not at all.
    if (node?.type === 'race' && node.compensates && fanOut.since === undefined) differing.add(path);
  });
  return [...differing].sort();
}

function lookAtCursor(cursor: Cursor, from: Plan, to: Plan, look: (path: NodePath) => void): void {
  // Without a path the branch stands before its first node, whichever that is.
  if (cursor.path !== '') look(cursor.path);
  if (cursor.phase === 'closed' && cursor.failedAt !== null) lookAtCursor(cursor.failedAt, from, to, look);
  if (cursor.phase !== 'chosen') return;
  const chosen = chosenPath(from, cursor.path, cursor.branch);
  if (chosen !== null) look(chosen);
}

/** Whether both plans have the same node there, and the same nodes around it. */
function isSameAt(path: NodePath, from: Plan, to: Plan, known: Map<NodePath, boolean>): boolean {
  const before = known.get(path);
  if (before !== undefined) return before;
  const one = from.nodes.get(path);
  const other = to.nodes.get(path);
  const isSame =
    one !== undefined &&
    other !== undefined &&
    isAlike(one, other) &&
    one.parent?.path === other.parent?.path &&
    (one.parent === null || isSameAt(one.parent.path, from, to, known));
  known.set(path, isSame);
  return isSame;
}

/**
 * Whether a try that is open can go on by the other plan: its time began when it was entered, and what its `catch` or its `finally`
 * has begun with comes to its end there. All else of a try is read from the plan when it comes to that.
 */
function goesOnAlike({ stage }: OpenTry, one: FlowNode | undefined, other: FlowNode | undefined): boolean {
  if (one?.type !== 'try' || other?.type !== 'try') return false;
  switch (stage) {
    case 'do':
      return one.timeout?.source === other.timeout?.source;
    case 'catch':
      return other.handler !== null || (one.handler === null && other.ignores);
    case 'finally':
      return other.finalizer !== null;
  }
}

function isAlike(one: FlowNode, other: FlowNode): boolean {
  if (one.isBranch !== other.isBranch || (one.isBranch && one.slot !== other.slot)) return false;
  if (one.type !== 'unit') return one.type === other.type;
  return other.type === 'unit' && one.unitId === other.unitId;
}

function branchPath(plan: Plan, path: NodePath, index: number): NodePath | null {
  const fanOut = plan.nodes.get(path);
  if (fanOut === undefined || fanOut.type === 'unit') return null;
  return (FLOWS[fanOut.type] as FlowBehaviour<FlowNode>).branch?.(fanOut, index)?.path ?? null;
}

/** What a router, switch or delegation chose; null: nothing follows. */
function chosenPath(plan: Plan, path: NodePath, branch: string): NodePath | null {
  const node = plan.nodes.get(path);
  switch (node?.type) {
    case 'router':
      return (node.routes.get(branch) ?? node.fallback)?.path ?? null;
    case 'switch':
      return (node.cases[Number(branch)]?.flow ?? node.fallback)?.path ?? null;
    case 'delegation':
      return node.specialists.get(branch)?.path ?? null;
    default:
      return null;
  }
}

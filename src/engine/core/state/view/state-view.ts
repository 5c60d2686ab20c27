import type { PersistentMap } from '../collections/persistent-map.js';
import type { ScopeId } from '../../log/event-base.js';
import type { StateView } from '../../plan/expression.js';
import type { JsonValue } from '../../json.js';
import type { DagNode, Plan } from '../../plan/plan.js';
import { compareWrites, recordedStateSteps } from './recorded-state.js';
import { atOnce } from '../../steps.js';
import type { Write } from '../scope.js';
import { childScope, locationOfScope, ROOT_SCOPE } from '../scope.js';
import type { RunState } from '../state.js';

type Layer = PersistentMap<string, Write>;

/** What a unit or an expression in `scope` reads: own writes over those of the scopes around it. */
export function viewOf(plan: Plan, state: RunState, scope: ScopeId): StateView {
  // Most expressions of a dag with many ancestors read little of the state, or nothing.
  let found: readonly Layer[] | undefined;
  const layers = (): readonly Layer[] => (found ??= layersOf(plan, state, scope));
  const find = (key: string): Write | undefined => {
    for (const layer of layers()) {
      const write = layer.get(key);
      if (write !== undefined) return write;
    }
    return undefined;
  };
  return {
    get: (key) => find(key)?.value,
    has: (key) => find(key) !== undefined,
    keys: () => asWritten(flatten(layers())).map(([key]) => key),
  };
}

/** The layers of writes that a scope reads, nearest first. A dag node also reads its ancestors'. */
function layersOf(plan: Plan, state: RunState, scope: ScopeId): readonly Layer[] {
  const layers: Layer[] = [];
  const add = (id: ScopeId): void => {
    const writes = state.scopes.get(id)?.writes;
    if (writes !== undefined && writes.size > 0) layers.push(writes);
  };
  for (let id = scope; ;) {
    add(id);
    if (id === ROOT_SCOPE) return layers;
    const location = locationOfScope(id);
    const owner = plan.nodes.get(location.path);
    if (owner?.type === 'dag') {
      for (const ancestor of ancestorsOf(owner, location.index)) add(childScope(location.fanOut, ancestor));
    }
    id = location.parent;
  }
}

/** All executors that one waits for, directly or not; the last declared wins, so it comes first. */
function ancestorsOf({ dependencies }: DagNode, index: number): readonly number[] {
  const found = new Set<number>(dependencies[index]);
  for (const ancestor of found) {
    for (const further of dependencies[ancestor] ?? []) found.add(further);
  }
  return [...found].sort((a, b) => b - a);
}

function flatten(layers: readonly Layer[]): Layer {
  const [nearest, ...around] = layers;
  let merged = around.length === 0 ? nearest : undefined;
  for (const layer of layers.toReversed()) merged = merged === undefined ? layer : merged.merge(layer);
  return merged as Layer;
}

/** The writes in the order in which they happened. */
function asWritten(writes: Layer | undefined): readonly (readonly [key: string, write: Write])[] {
  if (writes === undefined) return [];
  return [...writes.entries()].sort(([, a], [, b]) => compareWrites(a, b));
}

/** The root scope with the writes of open scopes merged in declaration order: what a record shows. */
export function recordedState(state: RunState): Record<string, JsonValue> {
  const root = state.scopes.get(ROOT_SCOPE);
  // The usual case: only the root is open, and its few keys stand in the order in which they were written.
  const alone = root === undefined || state.scopes.size > 1 ? null : inOrder(root.writes);
  return alone ?? atOnce(recordedStateSteps(state));
}

/** The values by their keys, if the map has them in the order in which they were written; else null. */
function inOrder(writes: Layer): Record<string, JsonValue> | null {
  const object: Record<string, JsonValue> = {};
  let before: Write | undefined;
  let isInOrder = true;
  writes.forEach((write, key) => {
    isInOrder &&= before === undefined || compareWrites(before, write) < 0;
    before = write;
    if (isInOrder) object[key] = write.value;
  });
  return isInOrder ? object : null;
}

/** A plain object; keys like `constructor` are own properties of it and `__proto__` never occurs. */
export function toObject(entries: Iterable<readonly [string, JsonValue]>): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = {};
  for (const [key, value] of entries) object[key] = value;
  return object;
}

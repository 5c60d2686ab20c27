import { PersistentMap } from '../collections/persistent-map.js';
import type { JsonValue } from '../../json.js';
import type { ScopeId } from '../../log/event-base.js';
import { atOnce, type Steps } from '../../steps.js';
import { fanOutAt } from '../child-scopes.js';
import { childScope, ROOT_SCOPE, type Write } from '../scope.js';
import { charsOfKeys } from '../overhead.js';
import { sortSteps } from './sort-steps.js';
import type { RunState } from '../state.js';

/** How many keys or scopes are visited between two points where the work may be interrupted. */
const STEP = 1_024;

type Layer = PersistentMap<string, Write>;

/** `recordedState`, with points where the work may be interrupted: a state may have a million keys. */
export function* recordedStateSteps(state: RunState): Steps<Record<string, JsonValue>> {
  const writes = yield* mergedFrom(state, ROOT_SCOPE, undefined);
  const object: Record<string, JsonValue> = {};
  if (writes === undefined) return object;
  const entries: (readonly [string, Write])[] = [];
  for (const entry of writes.entries()) {
    entries.push(entry);
    if (entries.length % STEP === 0) yield;
  }
  let count = 0;
  for (const [key, write] of yield* sortSteps(entries, ([, a], [, b]) => compareWrites(a, b))) {
    object[key] = write.value;
    if (++count % STEP === 0) yield;
  }
  return object;
}

/** The root's writes with those of all open scopes over them. */
export function mergedWrites(state: RunState): Layer {
  return atOnce(mergedFrom(state, ROOT_SCOPE, undefined)) ?? PersistentMap.empty<string, Write>();
}

/** The order in which the writes happened. */
export function compareWrites(a: Write, b: Write): number {
  return a.seq - b.seq || a.index - b.index;
}

/** Merges parents before children, and siblings by index. */
function* mergedFrom(state: RunState, id: ScopeId, around: Layer | undefined): Steps<Layer | undefined> {
  const scope = state.scopes.get(id);
  if (scope === undefined) return around;
  let merged = around === undefined ? scope.writes : around.merge(scope.writes);
  if (scope.writes.size > STEP) yield;
  const fanOut = fanOutAt(id, scope.cursor);
  if (fanOut === null) return merged;
  const end = state.forks.get(fanOut)?.end ?? 0;
  for (let index = 0; index < end; index++) {
    const child = childScope(fanOut, index);
    if (state.scopes.has(child)) merged = (yield* mergedFrom(state, child, merged)) ?? merged;
    if (index % STEP === STEP - 1) yield;
  }
  return merged;
}

/** About how many characters those writes take as JSON, without the memory overhead of their keys. */
export function charsOfWrites({ scopes }: RunState): number {
  let chars = 0;
  scopes.forEach((scope) => {
    chars += scope.chars - charsOfKeys(scope.writes.size);
  });
  return chars;
}

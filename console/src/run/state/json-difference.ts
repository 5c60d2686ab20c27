import type { JsonObject, JsonValue } from '../../../../clients/typescript/src/types/json.js';
import { isSame } from '../log/same-value.js';

export interface KeyDifference {
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed' | 'same';
  /** Absent: it was not there. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** What became of each key, from one state to another: in the order of the later one, and then what is gone. */
export function keyDifferences(before: JsonObject, after: JsonObject): readonly KeyDifference[] {
  const rows: KeyDifference[] = Object.entries(after).map(([key, value]) => {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (old === undefined) return { key, change: 'added', after: value };
    return { key, change: isSame(old, value) ? 'same' : 'changed', before: old, after: value };
  });
  for (const [key, value] of Object.entries(before))
    if (!Object.hasOwn(after, key)) rows.push({ key, change: 'removed', before: value });
  return rows;
}

/** Beyond so many a search says too much. */
const MOST_HITS = 200;

/** The paths below a value whose names, or whose texts, hold what is searched for. */
export function pathsWith(
  value: JsonValue,
  search: string,
): readonly { readonly path: string; readonly value: JsonValue }[] {
  const hits: { readonly path: string; readonly value: JsonValue }[] = [];
  const wanted = search.toLowerCase();
  const open: { readonly path: string; readonly value: JsonValue }[] = [{ path: '', value }];
  for (let one = open.pop(); one !== undefined && hits.length < MOST_HITS; one = open.pop()) {
    const { path, value: at } = one;
    if (typeof at !== 'object' || at === null) {
      if (path.toLowerCase().includes(wanted) || String(at).toLowerCase().includes(wanted)) hits.push(one);
      continue;
    }
    const inside = Object.entries(at).map(([key, inner]) => ({
      path: Array.isArray(at) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
      value: inner as JsonValue,
    }));
    if (inside.length === 0 && path.toLowerCase().includes(wanted)) hits.push(one);
    open.push(...inside.toReversed());
  }
  return hits;
}

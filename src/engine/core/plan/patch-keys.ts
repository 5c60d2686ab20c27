import type { JsonObject } from '../json.js';
import { problemOfKeys } from './key-bounds.js';
import { isReservedKey } from './reserved-key.js';

/** What is wrong with the keys of the shared state that a unit writes next to its output, after a verb; null: nothing. */
export function problemOfPatch(patch: JsonObject): string | null {
  const reserved = Object.keys(patch).find(isReservedKey);
  if (reserved !== undefined)
    return `the state key ${JSON.stringify(reserved.slice(0, 100))}: keys that begin with output., errors. or hitl. are reserved`;
  const problem = problemOfKeys(patch);
  return problem === null ? null : `a state that ${problem}`;
}

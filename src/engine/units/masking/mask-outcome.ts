import type { JsonObject, JsonValue } from '../../core/json.js';
import type { UnitOutcome } from '../../ports/unit-executor.js';
import type { SecretFinder } from './secret-finder.js';

/**
 * Hides secrets in every string of the output, the state and the metadata, keys included; numbers stay. The error of a
 * failure was masked when it was made.
 */
export function maskOutcome(outcome: UnitOutcome, finder: SecretFinder): UnitOutcome {
  if (outcome.kind === 'failed' || finder.isEmpty) return outcome;
  const { output, patch, metadata } = outcome;
  return {
    ...outcome,
    output: masked(output, finder),
    patch: patch === null ? null : maskedObject(patch, finder),
    metadata: metadata === null ? null : maskedObject(metadata, finder),
  };
}

/** The masked value, frozen like the original; the same value where there is nothing to hide. */
function masked(value: JsonValue, finder: SecretFinder): JsonValue {
  if (typeof value === 'string') return finder.mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return maskedObject(value as JsonObject, finder);
  const items = value as readonly JsonValue[];
  const copy = items.map((item) => masked(item, finder));
  return copy.some((item, index) => item !== items[index]) ? Object.freeze(copy) : value;
}

function maskedObject(value: JsonObject, finder: SecretFinder): JsonObject {
  const copy: Record<string, JsonValue> = {};
  let isChanged = false;
  let collisions = 0;
  for (const [key, field] of Object.entries(value)) {
    let name = finder.mask(key);
    // Two secrets as keys of one object must not become one field.
    while (name !== key && (Object.hasOwn(copy, name) || Object.hasOwn(value, name))) {
      collisions += 1;
      name = `${finder.mask(key)}${collisions}`;
    }
    const hidden = masked(field, finder);
    copy[name] = hidden;
    isChanged ||= name !== key || hidden !== field;
  }
  return isChanged ? Object.freeze(copy) : value;
}

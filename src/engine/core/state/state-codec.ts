import { Map } from 'immutable';
import type { JsonObject, JsonValue } from '../json.js';
import { INITIAL_STATE } from './state.js';
import type { RunState } from './state.js';

/**
 * The stored form of a state: plain JSON in which a map is `{ "$map": [[key, value], …] }`, in the order of its
 * keys, so that equal states have equal forms. User data is
 * never looked into: it stands in fields whose values are copied as they are (`OPAQUE`).
 */
const OPAQUE = new Set(['input', 'value', 'payload', 'metadata', 'task', 'items', 'delegations', 'settings']);

export function encodeState(state: RunState): JsonValue {
  return encode(state as unknown as Encodable);
}

/** The inverse of `encodeState` for states of the present `STATE_VERSION`. */
export function decodeState(encoded: JsonValue): RunState {
  return { ...INITIAL_STATE, ...(decode(encoded) as Partial<RunState>) };
}

type Encodable = JsonValue | Map<string | number, Encodable> | { readonly [key: string]: Encodable };

function encode(value: Encodable): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Map.isMap(value)) {
    const entries = [...(value as Map<string | number, Encodable>).entries()].sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    return { $map: entries.map(([key, field]) => [key, encode(field)]) };
  }
  if (Array.isArray(value)) return value.map((item) => encode(item as Encodable));
  const encoded: Record<string, JsonValue> = {};
  for (const [key, field] of Object.entries(value as { readonly [key: string]: Encodable })) {
    encoded[key] = OPAQUE.has(key) ? (field as JsonValue) : encode(field);
  }
  return encoded;
}

function decode(value: JsonValue): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => decode(item));
  const object = value as JsonObject;
  const entries = object['$map'];
  if (Array.isArray(entries)) {
    return Map(
      entries.map((entry: JsonValue) => {
        const [key, field] = entry as readonly [string | number, JsonValue];
        return [key, decode(field)] as const;
      }),
    );
  }
  const decoded: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(object)) {
    decoded[key] = OPAQUE.has(key) ? field : decode(field);
  }
  return decoded;
}

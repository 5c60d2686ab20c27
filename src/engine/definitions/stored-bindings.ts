import type { JsonObject, JsonValue } from '../core/json.js';
import type { HttpBinding } from '../ports/http-binding.js';
import type { Bindings } from './definition.js';
import type { Sealer } from './sealer.js';

type StoredBinding = {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
};

/**
 * The bindings as they are stored. Every part that can hold a secret is sealed separately: each header's value and the whole
 * endpoint, which may contain `user:password@` or keys in a query.
 */
export function sealBindings(bindings: Bindings, sealer: Sealer): JsonObject {
  const stored: Record<string, JsonValue> = {};
  for (const [uses, { type, endpoint, headers, timeoutMs }] of bindings) {
    const sealed = mapValues(headers, (value) => sealer.seal(value));
    stored[uses] = {
      type,
      endpoint: sealer.seal(endpoint),
      headers: sealed,
      ...(timeoutMs === null ? {} : { timeoutMs }),
    };
  }
  return stored;
}

/** The stored bindings as they are: whether they would be accepted today is not checked. Throws a `SealedError`. */
export function openBindings(stored: JsonObject, sealer: Sealer): Bindings {
  return new Map(
    Object.entries(stored as Readonly<Record<string, StoredBinding>>).map(
      ([uses, { endpoint, headers, timeoutMs = null }]): [string, HttpBinding] => [
        uses,
        Object.freeze({
          type: 'http',
          endpoint: sealer.open(endpoint),
          headers: Object.freeze(mapValues(headers, (value) => sealer.open(value))),
          callback: false,
          signingSecret: null,
          timeoutMs,
        }),
      ],
    ),
  );
}

function mapValues(headers: Readonly<Record<string, string>>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));
}

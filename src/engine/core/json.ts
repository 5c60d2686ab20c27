/** Any value that JSON can hold. Numbers are finite; there is no `undefined` inside. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Ours have no prototype or a plain one, and never the key `__proto__`. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

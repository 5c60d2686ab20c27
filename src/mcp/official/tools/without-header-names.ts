import type { JsonObject, JsonValue } from '../../../engine/index.js';

/** The keyword by which a tool makes its clients repeat an argument in a header `Mcp-Param-…` (2026-07-28). */
const HEADER_NAME = 'x-mcp-header';

/**
 * A schema without that keyword, at any depth: a server that publishes it must compare the header with the argument,
 * and a client ignores a tool that has it in the wrong place. A property of that name stays, because its value is not
 * a string.
 */
export function withoutHeaderNames(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== HEADER_NAME || typeof value !== 'string')
      .map(([key, value]) => [key, within(value)]),
  );
}

function within(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(within);
  return typeof value === 'object' && value !== null ? withoutHeaderNames(value as JsonObject) : value;
}

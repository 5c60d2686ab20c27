import type { JsonValue } from '../json.js';
import { parseDuration, type DurationResult } from './duration.js';

/** Reads the setting `timeout` of a gate whose expressions are evaluated already. */
export function readGateTimeout(value: JsonValue): DurationResult {
  return typeof value === 'string'
    ? parseDuration(value)
    : { ok: false, reason: 'timeout must be an ISO 8601 text such as `PT30S` or `P2D`' };
}

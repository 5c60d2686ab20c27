import type { JsonValue } from 'flowgate-client/remote';

type OnTimeout = 'reject' | 'approve' | 'fail';
const WORDS: readonly OnTimeout[] = ['reject', 'approve', 'fail'];

/** What becomes of a gate whose time is up, as its document says in `with` or in `config`. */
export function onTimeoutOf(document: JsonValue | null, unitId: string): OnTimeout {
  const units = fieldOf(fieldOf(document, 'spec'), 'units');
  const unit = Array.isArray(units)
    ? units.find((one) => fieldOf(one as JsonValue, 'id') === unitId)
    : undefined;
  const given =
    fieldOf(fieldOf(unit as JsonValue | undefined, 'with'), 'onTimeout') ??
    fieldOf(fieldOf(unit as JsonValue | undefined, 'config'), 'onTimeout');
  return WORDS.find((word) => word === given) ?? 'reject';
}

function fieldOf(value: JsonValue | null | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
}

import type { JsonValue } from '../json.js';
import { MAX_DURATION_MS, parseDuration } from './duration.js';

/** The settings of which `builtin.wait` takes one. */
export const WAIT_SETTINGS = ['duration', 'durationMs', 'until'] as const;

export type WaitSetting = (typeof WAIT_SETTINGS)[number];

/** A time from when the unit is reached, or an instant (epoch ms). */
export type WaitLength = { readonly forMs: number } | { readonly until: number };

export type WaitResult =
  { readonly ok: true; readonly length: WaitLength } | { readonly ok: false; readonly reason: string };

/** Reads a setting whose expressions are evaluated already. */
export function readWait(name: WaitSetting, value: JsonValue): WaitResult {
  switch (name) {
    case 'duration':
      return readDuration(value);
    case 'durationMs':
      return readDurationMs(value);
    case 'until':
      return readInstant(value);
  }
}

function readDuration(value: JsonValue): WaitResult {
  if (typeof value !== 'string') {
    return refused(
      'duration must be an ISO 8601 text such as `PT30S` or `P2D`; for milliseconds there is durationMs',
    );
  }
  const parsed = parseDuration(value);
  return parsed.ok ? { ok: true, length: { forMs: parsed.ms } } : refused(`duration: ${parsed.reason}`);
}

function readDurationMs(value: JsonValue): WaitResult {
  if (typeof value !== 'number' || !(value >= 0 && value <= MAX_DURATION_MS)) {
    return refused(`durationMs must be a number of milliseconds from 0 to ${MAX_DURATION_MS} (10 years)`);
  }
  return { ok: true, length: { forMs: Math.round(value) } };
}

/** RFC 3339: a date and time of which the offset from UTC is known. */
const INSTANT = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

function readInstant(value: JsonValue): WaitResult {
  if (typeof value === 'number') {
    return Number.isFinite(value) && value >= 0 && value <= MAX_INSTANT_MS
      ? { ok: true, length: { until: Math.round(value) } }
      : refused('until as a number must be an instant in milliseconds since 1970, of this era');
  }
  const parts = typeof value === 'string' ? INSTANT.exec(value) : null;
  const at = parts === null ? Number.NaN : Date.parse(parts[0].replace(' ', 'T').toUpperCase());
  if (parts === null || Number.isNaN(at) || !isOnTheCalendar(parts)) {
    return refused('until must be an RFC 3339 instant with an offset, such as `2027-01-31T09:00:00Z`');
  }
  return { ok: true, length: { until: Math.max(0, at) } };
}

/** The last instant of the year 9999. */
const MAX_INSTANT_MS = 253_402_300_799_999;

/** A date that does not exist, such as 30 February, would be read as another one. */
function isOnTheCalendar([, year, month, day]: readonly (string | undefined)[]): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function refused(reason: string): WaitResult {
  return { ok: false, reason };
}

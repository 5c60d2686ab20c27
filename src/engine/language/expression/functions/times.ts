import type { CelValue } from '@bufbuild/cel';
import { isCelUint } from '@bufbuild/cel';
import { parseDuration } from '../../../core/plan/duration.js';
import { EvaluationFault } from '../faults/evaluation-fault.js';
import { NODE_WORK } from '../limits/bounds.js';
import { chargeWork } from '../limits/budget.js';
import { durationOf, isTimestamp, timestampOf } from '../values/times.js';
import type { Implementation } from './implementation.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The longest duration in seconds that fits into nanoseconds of 64 bits: some 292 years. */
const MAX_SECONDS = 9_223_372_036n;

/**
 * The fields of a timestamp, in UTC or at a fixed offset. The library reads them through the zone of the machine, and other
 * zones through its time zone data: neither may decide what a workflow does. Those of durations stay with the library.
 */
export const TIMES: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  ['getFullYear', field((date) => date.getUTCFullYear())],
  ['getMonth', field((date) => date.getUTCMonth())],
  ['getDate', field((date) => date.getUTCDate())],
  ['getDayOfMonth', field((date) => date.getUTCDate() - 1)],
  ['getDayOfWeek', field((date) => date.getUTCDay())],
  ['getDayOfYear', field(dayOfYear)],
  ['getHours', field((date) => date.getUTCHours())],
  ['getMinutes', field((date) => date.getUTCMinutes())],
  ['getSeconds', field((date) => date.getUTCSeconds())],
  ['getMilliseconds', field((date) => date.getUTCMilliseconds())],
]);

function field(read: (date: Date) => number): Implementation {
  return (args, target) => {
    if (!isTimestamp(target) || args.length > 1) return undefined;
    const { seconds, nanos } = target.message;
    const ms = Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
    return BigInt(read(new Date(ms + (args.length === 0 ? 0 : offsetMs(args[0])))));
  };
}

function offsetMs(zone: CelValue | undefined): number {
  chargeWork(NODE_WORK.call);
  if (zone === 'UTC') return 0;
  const [, sign, hours, minutes] =
    /^([+-])([01]\d|2[0-3]):([0-5]\d)$/.exec(typeof zone === 'string' ? zone : '') ?? [];
  if (sign === undefined)
    throw new EvaluationFault(
      'time zones are not supported, whose rules change: write "UTC" or an offset such as "+01:00", or leave the argument out for UTC',
    );
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

function dayOfYear(date: Date): number {
  const sameTimeOnFirst = new Date(date.getTime()).setUTCMonth(0, 1);
  return Math.round((date.getTime() - sameTimeOnFirst) / DAY_MS);
}

/** An instant of epoch ms: JSON numbers are doubles. Texts stay with the library. */
export function timestampOfNumber(value: CelValue | undefined): CelValue | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return timestampOf(Number(value));
  return isCelUint(value) ? timestampOf(Number(value.value)) : undefined;
}

/** An ISO 8601 duration; other texts stay with the library. */
export function durationOfIso(value: CelValue | undefined): CelValue | undefined {
  if (typeof value === 'bigint' && (value > MAX_SECONDS || value < -MAX_SECONDS))
    throw new EvaluationFault(`duration(${value}) is longer than 292 years: give seconds`);
  if (typeof value !== 'string' || !/^[+-]?P/.test(value)) return undefined;
  const isNegative = value.startsWith('-');
  const parsed = parseDuration(value.replace(/^[+-]/, ''));
  if (!parsed.ok) throw new EvaluationFault(parsed.reason);
  return durationOf(isNegative ? -parsed.ms : parsed.ms);
}

import type { CelValue } from '@bufbuild/cel';
import { celType } from '@bufbuild/cel';
import { EvaluationFault } from '../faults/evaluation-fault.js';
import type { Implementation } from './implementation.js';

const DAY_MS = 86_400_000;

/**
 * The fields of a timestamp, in UTC. The library reads them through the zone of the machine, and other zones
 * through its time zone data: neither may decide what a workflow does. Durations stay with the library.
 */
export const TIMES: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  ['getFullYear', field((date) => date.getUTCFullYear())],
  ['getMonth', field((date) => date.getUTCMonth())],
  ['getDate', field((date) => date.getUTCDate())],
  ['getDayOfMonth', field((date) => date.getUTCDate() - 1)],
  ['getDayOfWeek', field((date) => date.getUTCDay())],
  ['getDayOfYear', field((date) => Math.floor((date.getTime() - startOfYear(date)) / DAY_MS))],
  ['getHours', field((date) => date.getUTCHours())],
  ['getMinutes', field((date) => date.getUTCMinutes())],
  ['getSeconds', field((date) => date.getUTCSeconds())],
  ['getMilliseconds', field((date) => date.getUTCMilliseconds())],
]);

function field(read: (date: Date) => number): Implementation {
  return (args, target) => {
    if (target === undefined || !isTimestamp(target)) return undefined;
    if (args.length > 0)
      throw new EvaluationFault('time zones are not supported: leave the argument out for UTC');
    const { seconds, nanos } = target.message;
    return BigInt(read(new Date(Number(seconds) * 1000 + Math.floor(nanos / 1_000_000))));
  };
}

function startOfYear(date: Date): number {
  return new Date(date.getTime()).setUTCMonth(0, 1) - (date.getTime() % DAY_MS);
}

interface Timestamp {
  readonly message: { readonly seconds: bigint; readonly nanos: number };
}

function isTimestamp(value: CelValue): value is CelValue & Timestamp {
  return typeof value === 'object' && value !== null && celType(value).name === 'google.protobuf.Timestamp';
}

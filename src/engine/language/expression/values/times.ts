import type { CelValue } from '@bufbuild/cel';
import { celEnv, celType } from '@bufbuild/cel';
import { TIME_WORK } from '../limits/bounds.js';
import { chargeWork } from '../limits/budget.js';
import { EvaluationFault } from '../faults/evaluation-fault.js';

/** An instant or a length of time, as the library holds it: nanoseconds have the sign of the seconds in a duration. */
interface Time {
  readonly message: { readonly seconds: bigint; readonly nanos: number };
}

/** From the year 1 to the year 9999, in ms: as far as RFC 3339 can write. */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;

const functions = celEnv().funcs;
const toTimestamp = functions.find('timestamp');
const toDuration = functions.find('duration');
const toText = functions.find('string');

export function isTimestamp(value: CelValue | undefined): value is CelValue & Time {
  return isOfType(value, 'google.protobuf.Timestamp');
}

export function isDuration(value: CelValue | undefined): value is CelValue & Time {
  return isOfType(value, 'google.protobuf.Duration');
}

function isOfType(value: CelValue | undefined, name: string): boolean {
  return typeof value === 'object' && value !== null && celType(value).name === name;
}

/** `ms`: epoch ms, which are rounded down. */
export function timestampOf(ms: number): CelValue {
  chargeWork(TIME_WORK);
  if (!(ms >= FIRST_MS && ms <= LAST_MS))
    throw new EvaluationFault(
      `timestamp(${ms}) is before the year 1 or after 9999: give milliseconds since 1970`,
    );
  return valueOf(toTimestamp?.call(0, undefined, [BigInt(Math.floor(ms))]));
}

export function durationOf(ms: number): CelValue {
  chargeWork(TIME_WORK);
  return valueOf(toDuration?.call(0, undefined, [`${ms}ms`]));
}

/** RFC 3339, in UTC. */
export function timestampText(timestamp: CelValue & Time): string {
  chargeWork(TIME_WORK);
  return String(valueOf(toText?.call(0, undefined, [timestamp])));
}

/** ISO 8601 in days, hours, minutes and seconds: `P3DT4H0.5S`, and `-PT5M` for one that goes back. */
export function durationText({ message: { seconds, nanos } }: Time): string {
  chargeWork(TIME_WORK);
  const sign = seconds < 0n || nanos < 0 ? '-' : '';
  const whole = seconds < 0n ? -seconds : seconds;
  const fraction = Math.abs(nanos).toString().padStart(9, '0').replace(/0+$/, '');
  const secondsLeft = `${whole % 60n}${fraction === '' ? '' : `.${fraction}`}`;
  const date = part(whole / 86_400n, 'D');
  const time =
    part((whole / 3_600n) % 24n, 'H') +
    part((whole / 60n) % 60n, 'M') +
    (secondsLeft === '0' ? '' : `${secondsLeft}S`);
  if (date === '' && time === '') return 'PT0S';
  return `${sign}P${date}${time === '' ? '' : `T${time}`}`;
}

function part(count: bigint, unit: string): string {
  return count === 0n ? '' : `${count}${unit}`;
}

function valueOf(result: unknown): CelValue {
  if (result instanceof Error) throw result;
  return result as CelValue;
}

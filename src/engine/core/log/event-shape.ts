import { FAILURE_OUTCOMES, WAYS_IN } from '../../vocabulary.js';
import type { JsonObject, JsonValue } from '../json.js';
import { problemOfKeys } from '../plan/key-bounds.js';
import { FAILURE_CODES } from '../../vocabulary.js';
import type { AnyEvent, EventBase } from './event-base.js';

/** Whether a field holds what its type has there. */
export type Check = (value: JsonValue | undefined) => boolean;

/** What the fields of a type of event hold, in its present version. What is folded is trusted to be of this shape. */
export type EventShape<E extends AnyEvent> = {
  readonly [K in Exclude<keyof E, keyof EventBase | 'type'>]-?: Check;
};

const MAX_INSTANT = 8.64e15;
/** The longest id or name; what people and units say may be longer. */
const MAX_NAME_CHARS = 1_024;
const MAX_LOCATION_CHARS = 16_384;

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

/** A count, a seq, an index. */
function isWhole(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const anything: Check = (value) => value !== undefined;
export const text: Check = isText;
export const name: Check = (value) => isText(value) && value.length <= MAX_NAME_CHARS;
export const locationText: Check = (value) => isText(value) && value.length <= MAX_LOCATION_CHARS;
export const truth: Check = (value) => typeof value === 'boolean';
export const whole: Check = isWhole;
export const amount: Check = (value) => typeof value === 'number' && value >= 0;
export const object: Check = (value) => isObject(value);
/** Values that are written to the shared state. */
export const writes: Check = (value) => isObject(value) && problemOfKeys(value) === null;
/** Epoch ms; back-offs and time-outs are added to it, which may leave a fraction. */
export const instant: Check = (value) => typeof value === 'number' && value >= 0 && value <= MAX_INSTANT;

export function oneOf(...values: readonly JsonValue[]): Check {
  return (value) => value !== undefined && values.includes(value);
}

export function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

export function ifThere(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && (value as readonly JsonValue[]).every(check);
}

export function shaped(fields: Readonly<Record<string, Check>>): Check {
  return (value) => isObject(value) && faultIn(fields, value) === null;
}

/** The field that does not hold what it must; null: all do. Unknown fields are allowed. */
export function faultIn(fields: Readonly<Record<string, Check>>, value: JsonObject): string | null {
  for (const field in fields) if (fields[field]?.(value[field]) !== true) return field;
  return null;
}

export const actor = shaped({
  id: text,
  owner: orNull(text),
  name: ifThere(text),
  via: oneOf(...WAYS_IN),
  auth: oneOf('none', 'host', 'key', 'jwt'),
});
export const usage = shaped({ tokens: amount, cost: amount });
export const runBudget = shaped({ maxTokens: orNull(amount), maxCost: orNull(amount) });
export const location = { path: locationText, scope: locationText };
/** Where in its loops and foreachs a call stood. */
export const doneIn = shaped({ index: ifThere(whole), itemKey: ifThere(text), iteration: ifThere(whole) });
export const outcome = oneOf(...FAILURE_OUTCOMES);

const failureFields = {
  code: oneOf(...FAILURE_CODES),
  message: text,
  unitId: ifThere(name),
  status: ifThere(whole),
  attempts: whole,
  path: locationText,
};
export const failure = shaped({
  ...failureFields,
  unwound: ifThere(oneOf(true)),
  cause: ifThere(shaped(failureFields)),
});
export const failureFacts = shaped({
  code: oneOf(...FAILURE_CODES),
  unitId: ifThere(name),
  status: ifThere(whole),
  attempts: whole,
  unwound: ifThere(oneOf(true)),
  cause: ifThere(shaped(failureFields)),
});
export const tryExit: Check = (value) =>
  isObject(value) &&
  (value['kind'] === 'leave'
    ? value['metadata'] === null || isObject(value['metadata'])
    : value['kind'] === 'fail' || value['kind'] === 'unwind');

import { faultLines } from '../../../errors/fault-lines.js';
import { messageOf } from '../../../errors/flowgate-error.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { copyJson } from '../../json/copy-json.js';
import { ALONE_LIMITS, SchemaCheck } from './input-schema.js';

/** The most characters of a schema's problem in an error. */
const MAX_REASON_CHARS = 500;

/**
 * A check whether values satisfy a JSON Schema (2020-12 with formats): it returns a sentence, or null where nothing is
 * wrong. Its work on one value is bounded, whatever the value (`ALONE_LIMITS`). Throws a `TypeError` for a schema that
 * cannot be used. `subject` is what the values are, in the sentences: `input`.
 */
export function valueCheck(
  schema: Readonly<Record<string, unknown>>,
  subject: string,
): (value: JsonValue) => string | null {
  // The caller's own object may change later.
  const copy = copyJson(schema);
  const own = copy.ok ? copy.value : null;
  if (!isObject(own)) throw new TypeError(`the schema of its ${subject} must be an object of JSON`);
  const check = madeReady(own, subject);
  return (value) => {
    const faults = check.faultsOf(value, ALONE_LIMITS);
    if (typeof faults === 'string')
      return `${subject} is too long to be checked against its schema: shorten it`;
    return faults.length === 0
      ? null
      : faultLines(faults.map(({ message }) => message)).replaceAll('\n', '; ');
  };
}

function madeReady(schema: JsonObject, subject: string): SchemaCheck {
  if (schema['$async'] !== undefined)
    throw new TypeError(`the schema of its ${subject} cannot be asynchronous: leave $async out`);
  try {
    return new SchemaCheck(schema, { root: `/${subject}`, subject });
  } catch (error) {
    const reason = messageOf(error).slice(0, MAX_REASON_CHARS);
    throw new TypeError(`the schema of its ${subject} cannot be used: ${reason}`, { cause: error });
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

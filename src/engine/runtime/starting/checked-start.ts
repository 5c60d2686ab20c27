import { InvalidInputError, InvalidRequestError, type RequestFault } from '../../../errors/request-errors.js';
import type { JsonObject } from '../../core/json.js';
import { isNamespace } from '../../core/namespace.js';
import { problemOfKeys } from '../../core/plan/key-bounds.js';
import type { Plan } from '../../core/plan/plan.js';
import { isReservedKey } from '../../core/plan/reserved-key.js';
import { evaluateVars } from '../../core/turn/run-vars.js';
import type { Definition } from '../../definitions/definition.js';
import { copyJson } from '../../json/copy-json.js';

export type Labels = Readonly<Record<string, string>>;

const MAX_LABELS = 32;
const LABEL_NAME = /^[a-z][a-z0-9_.-]{0,62}$/;
const MAX_LABEL_CHARS = 256;
const NO_LABELS: Labels = Object.freeze({});

/** Throws an `InvalidRequestError` for a name that no namespace can have. */
export function checkNamespace(namespace: string): void {
  if (isNamespace(namespace)) return;
  throw new InvalidRequestError(
    `The namespace ${JSON.stringify(namespace.slice(0, 100))} cannot be used: take 1 to 63 lower-case letters, digits and dashes, with a letter first`,
  );
}

/** A frozen copy. Throws an `InvalidRequestError` that names what is wrong with them. */
export function checkedLabels(given: Labels | undefined): Labels {
  if (given === undefined) return NO_LABELS;
  const entries = Object.entries(given);
  if (entries.length > MAX_LABELS) {
    throw new InvalidRequestError(`A run has at most ${MAX_LABELS} labels: leave some out`);
  }
  for (const [name, value] of entries) {
    if (!LABEL_NAME.test(name)) {
      throw new InvalidRequestError(
        `The label ${JSON.stringify(name.slice(0, 100))} cannot be used: take 1 to 63 of a to z, 0 to 9, _ . and -, with a letter first`,
      );
    }
    if (typeof value !== 'string' || value.length > MAX_LABEL_CHARS) {
      throw new InvalidRequestError(
        `The label ${name} must be a text of at most ${MAX_LABEL_CHARS} characters: shorten it`,
      );
    }
  }
  return Object.freeze({ ...given });
}

/**
 * A frozen copy that satisfies `spec.input`: neither the caller nor a unit can change it later. Its keys become those of
 * the shared state, so none may be one that the engine writes: whoever supplies `hitl.approved` would forge an approval.
 * A promise only where the check takes a while; `caller`: whose share of the threads it takes then; null: that of the
 * workflow. Throws an `InvalidInputError`, or an `InvalidRequestError` that names every reserved key.
 */
export function checkedInput(
  given: JsonObject,
  definition: Definition,
  caller: string | null,
): JsonObject | Promise<JsonObject> {
  const copy = copyJson(given);
  if (!copy.ok) throw new InvalidInputError([{ path: '', message: `input ${copy.problem}` }]);
  const input = copy.value as JsonObject;
  const problem = problemOfKeys(input);
  if (problem !== null) throw new InvalidInputError([{ path: '', message: `input ${problem}` }]);
  const reserved = Object.keys(input).filter(isReservedKey);
  if (reserved.length > 0) throw InvalidRequestError.naming(reserved.map(reservedFault));
  if (definition.checkInput === null) return input;
  const faults = definition.checkInput(input, caller);
  return faults instanceof Promise
    ? faults.then((found) => withoutFaults(input, found))
    : withoutFaults(input, faults);
}

/** What `spec.vars` gives for the run; null: the workflow has none. Throws an `InvalidInputError`. */
export function varsFor(plan: Plan, scope: Parameters<typeof evaluateVars>[1]): JsonObject | null {
  if (plan.vars.length === 0) return null;
  const result = evaluateVars(plan, scope);
  if (result.ok) return result.vars;
  throw new InvalidInputError([{ path: '', message: result.problem }]);
}

function withoutFaults(input: JsonObject, faults: ConstructorParameters<typeof InvalidInputError>[0]) {
  if (faults.length > 0) throw new InvalidInputError(faults);
  return input;
}

function reservedFault(key: string): RequestFault {
  const path = `input[${JSON.stringify(key.slice(0, 100))}]`;
  return {
    path,
    message: `${path} is reserved: keys that begin with output., errors. or hitl. are written by the service alone; rename it`,
  };
}

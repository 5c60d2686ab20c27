import { messageOf } from '../../../errors/flowgate-error.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { LOOP_BOUNDS } from '../document-bounds.js';
import type { FaultList } from '../fault-list.js';
import { childPointer, type JsonPointer } from '../reader/json-pointer.js';
import { inputSize } from './input-size.js';
import { PatternFault } from './patterns.js';
import { schemaCost, type SchemaCost } from './schema-cost.js';
import { type InputFault, NoSchema, refuseNoSchema, Validator } from './validator.js';

/** Parts of `spec.input` with its references followed. */
const MAX_PARTS = 100_000;
/** For an input with more values than this only the first fault is reported: finding all can take quadratic time. */
const MAX_VALUES_FOR_ALL_FAULTS = 1_000;

/** The limits of one check. */
export interface CheckLimits {
  /** Characters of the schema as JSON. */
  readonly schemaLength: number;
  /** Parts of the schema times the size of the input: a tenth of a µs each at the worst. */
  readonly work: number;
  /** The same limit where all faults are looked for, which can take quadratic time. */
  readonly workForAllFaults: number;
  /** Characters times instructions of the patterns. */
  readonly matchWork: number;
}

/** The limits on the event loop: some 50 ms at the worst, and a hundredth of that nearly always. */
export const LOOP_LIMITS: CheckLimits = {
  schemaLength: LOOP_BOUNDS.inputSchema,
  work: 500_000,
  workForAllFaults: 15_000,
  matchWork: 1_000_000,
};

/** The limits in a thread of its own, which is bounded in time and memory as well. */
export const THREAD_LIMITS: CheckLimits = {
  schemaLength: Infinity,
  work: Infinity,
  workForAllFaults: Infinity,
  matchWork: 40_000_000,
};

/** The limits on the event loop where there is no thread: a second or two at the worst. */
export const ALONE_LIMITS: CheckLimits = {
  schemaLength: Infinity,
  work: 20_000_000,
  workForAllFaults: 100_000,
  matchWork: 40_000_000,
};

/** Which limit a check exceeds. */
export type TooMuch = 'parts' | 'matching';

/** Refuses a `spec.input` (JSON Schema 2020-12 with formats) that cannot be used, or that would cost too much. */
export function checkInputSchema(schema: JsonObject | undefined, faults: FaultList): void {
  if (schema === undefined) return;
  if (schema['$async'] !== undefined) {
    faults.add('/spec/input/$async', 'spec.input cannot be asynchronous: leave $async out');
    return;
  }
  const { length } = JSON.stringify(schema);
  if (length > faults.bounds.inputSchema) {
    faults.stop(
      '/spec/input',
      `spec.input has ${length} characters as JSON, and ${faults.bounds.inputSchema} are the most: shorten it`,
    );
  }
  try {
    schemaCheckOf(schema);
  } catch (error) {
    if (error instanceof PatternFault) {
      const path = pointerOfText(schema, error.pattern, '/spec/input') ?? '/spec/input';
      faults.add(path, error.message);
      return;
    }
    if (error instanceof NoSchema) {
      for (const { pointer, message } of error.problems) faults.add(`/spec/input${pointer}`, message);
      return;
    }
    const missing =
      error instanceof Error && 'missingRef' in error ? String(error.missingRef).slice(0, 100) : null;
    if (missing !== null) {
      faults.add(
        pointerOfReference(schema, missing, '/spec/input') ?? '/spec/input',
        `spec.input refers to ${missing}, which is not there: define it under $defs, or correct the reference`,
      );
      return;
    }
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'it does not compile';
    faults.add('/spec/input', `spec.input is no JSON Schema that can be used: ${reason}`);
  }
}

/** Compiled checks, kept as long as the schema itself is referenced, so that a workflow's schema is compiled once. */
const ready = new WeakMap<JsonObject, SchemaCheck>();

/** Throws an `Error` for a schema that cannot be used. */
function schemaCheckOf(schema: JsonObject): SchemaCheck {
  let check = ready.get(schema);
  if (check === undefined) {
    check = new SchemaCheck(schema);
    ready.set(schema, check);
  }
  return check;
}

/**
 * The faults of a run's input; empty when it satisfies `spec.input`; a `TooMuch` when that cannot be found out within the
 * limits. The schema was accepted once: should it be refused by now, every input is.
 */
export function inputFaults(
  schema: JsonObject,
  input: JsonObject,
  limits: CheckLimits,
): readonly InputFault[] | TooMuch {
  let check = ready.get(schema);
  if (check === undefined && !isWithin(limits.schemaLength, schema)) return 'parts';
  try {
    check ??= schemaCheckOf(schema);
  } catch (error) {
    const reason = messageOf(error).slice(0, 300);
    const message = `input cannot be checked any more (${reason}): correct spec.input and register the workflow again`;
    return [{ path: '', message }];
  }
  return check.faultsOf(input, limits);
}

/** The location of a schema, and what its values are called in its errors. */
export interface SchemaLocation {
  /** JSON pointer. */
  readonly root: string;
  readonly subject: string;
}

const SPEC_INPUT: SchemaLocation = { root: '/spec/input', subject: 'input' };

/** A compiled schema. */
export class SchemaCheck {
  private readonly cost: SchemaCost;
  private readonly first: Validator;
  private all: Validator | undefined;

  /** Throws an `Error` for a schema that cannot be used. */
  constructor(
    private readonly schema: JsonObject,
    private readonly location: SchemaLocation = SPEC_INPUT,
  ) {
    refuseNoSchema(schema, location.root);
    this.cost = schemaCost(schema);
    if (this.cost.parts > MAX_PARTS) {
      throw new Error(
        `with its references followed it has more than ${MAX_PARTS} parts; refer to the same definition less often`,
      );
    }
    this.first = new Validator(schema, false, location.subject);
  }

  faultsOf(input: JsonValue, limits: CheckLimits): readonly InputFault[] | TooMuch {
    const { parts, returns, comparesItems } = this.cost;
    const size = inputSize(input, limits.work / parts);
    if (size === null) return 'parts';
    const work = parts * size.size * Math.max(1, returns) ** size.depth * (comparesItems ? size.depth : 1);
    if (work > limits.work) return 'parts';
    const found = this.first.faultsOf(input, limits.matchWork) ?? 'matching';
    if (found === 'matching' || found.length === 0) return found;
    if (size.values > MAX_VALUES_FOR_ALL_FAULTS || work > limits.workForAllFaults) return found;
    return (
      (this.all ??= new Validator(this.schema, true, this.location.subject)).faultsOf(
        input,
        limits.matchWork,
      ) ?? found
    );
  }
}

/** The fault of an input that exceeds any limits. */
export function tooMuchFault(what: TooMuch): InputFault {
  const how = what === 'matching' ? 'matched with the patterns of' : 'checked against';
  return { path: '', message: `input is too long to be ${how} spec.input: shorten it` };
}

/** Whether the schema's JSON has at most `length` characters; it is measured once. */
const lengths = new WeakMap<JsonObject, number>();
function isWithin(length: number, schema: JsonObject): boolean {
  let known = lengths.get(schema);
  if (known === undefined) {
    known = JSON.stringify(schema).length;
    lengths.set(schema, known);
  }
  return known <= length;
}

function pointerOfReference(schema: JsonObject, missing: string, pointer: JsonPointer): JsonPointer | null {
  return pointerOfText(schema, missing, pointer) ?? pointerOfText(schema, `#${missing}`, pointer);
}

/** The pointer to a text in the schema, as a name or as a value. */
function pointerOfText(value: JsonValue, text: string, pointer: JsonPointer): JsonPointer | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const at = childPointer(pointer, key);
    if (member === text || key === text) return at;
    const inside = pointerOfText(member as JsonValue, text, at);
    if (inside !== null) return inside;
  }
  return null;
}

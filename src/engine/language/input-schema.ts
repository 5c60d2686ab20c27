import { messageOf } from '../../errors/flowgate-error.js';
import { RE2JS } from '@bufbuild/re2';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { JsonObject, JsonValue } from '../core/json.js';
import { MAX_PATTERN_LENGTH, MAX_PATTERN_SIZE } from './expression/bounds.js';
import { patternSize } from './expression/functions/patterns.js';
import type { FaultList } from './fault-list.js';
import { childPointer, type JsonPointer } from './json-pointer.js';

/** The faults of a run's input; empty when it satisfies `spec.input`. Ends in bounded time, whatever the input. */
export type InputCheck = (input: JsonObject) => readonly InputFault[];

export interface InputFault {
  /** JSON pointer into the input. */
  readonly path: string;
  readonly message: string;
}

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;
const MAX_FAULTS = 100;
/** Of an input with more values than this only the first fault is told: finding all can cost their square. */
const MAX_VALUES_FOR_ALL_FAULTS = 1_000;
/** Instructions of all patterns of one schema. */
const MAX_PATTERNS_SIZE = 20_000;
/** Characters times instructions of the patterns that one input is matched with: a second or two. */
const MAX_MATCH_WORK = 40_000_000;

/** Compiles `spec.input` (JSON Schema 2020-12 with formats); null without one or with a fault in it. */
export function compileInputSchema(schema: JsonObject | undefined, faults: FaultList): InputCheck | null {
  if (schema === undefined) return null;
  if (schema['$async'] !== undefined) {
    faults.add('/spec/input/$async', 'spec.input cannot be asynchronous: leave $async out');
    return null;
  }
  try {
    return inputCheck(schema);
  } catch (error) {
    if (error instanceof PatternFault) {
      const path = placeOfPattern(schema, error.pattern, '/spec/input') ?? '/spec/input';
      faults.add(path, error.message);
      return null;
    }
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'it does not compile';
    faults.add('/spec/input', `spec.input is no JSON Schema that can be used: ${reason}`);
    return null;
  }
}

/**
 * For a schema that was accepted once: made ready when the first input comes, since most definitions that are loaded
 * again never see one. Should it be refused by now, so is every input.
 */
export function laterInputCheck(schema: JsonObject): InputCheck {
  let check: InputCheck | null = null;
  return (input) => {
    try {
      check ??= inputCheck(schema);
    } catch (error) {
      const reason = messageOf(error).slice(0, 300);
      const message = `input cannot be checked any more (${reason}): correct spec.input and register the workflow again`;
      return [{ path: '', message }];
    }
    return check(input);
  };
}

function inputCheck(schema: JsonObject): InputCheck {
  const first = new Validator(schema, false);
  let all: Validator | undefined;
  return (input) => {
    const found = first.faultsOf(input);
    if (found.length === 0 || !hasAtMost(MAX_VALUES_FOR_ALL_FAULTS, input)) return found;
    return (all ??= new Validator(schema, true)).faultsOf(input);
  };
}

/** A schema made ready, and the work of the check that is under way. */
class Validator {
  private readonly validate: ReturnType<Ajv2020['compile']>;
  private patternsSize = 0;
  private work = 0;

  constructor(schema: JsonObject, allErrors: boolean) {
    const regExp = Object.assign((pattern: string) => this.pattern(pattern), { code: 'boundedPattern' });
    // `ownProperties`: a field named `constructor` is not there just because every object inherits one.
    const options = {
      allErrors,
      strict: false,
      logger: false,
      ownProperties: true,
      code: { regExp },
    } as const;
    const ajv = new Ajv2020(options);
    addFormats(ajv);
    ajv.addFormat('url', isWebAddress);
    ajv.removeKeyword('uniqueItems');
    ajv.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      error: { message: 'must NOT have duplicate items' },
      validate: (isWanted: boolean, items: readonly JsonValue[]) => !isWanted || areUnique(items),
    });
    this.validate = ajv.compile(schema);
  }

  faultsOf(input: JsonObject): readonly InputFault[] {
    this.work = 0;
    try {
      if (this.validate(input)) return [];
      return (this.validate.errors ?? []).slice(0, MAX_FAULTS).map(faultOf);
    } catch (error) {
      if (error instanceof WorkFault) return [{ path: '', message: error.message }];
      if (!(error instanceof RangeError)) throw error;
      const message = 'input cannot be checked: it, or spec.input, is nested too deep';
      return [{ path: '', message }];
    }
  }

  /** RE2's patterns: their time grows with text × pattern, and never worse. */
  private pattern(source: string): { test: (text: string) => boolean; toString: () => string } {
    const size = patternSize(source);
    this.patternsSize += size;
    if (source.length > MAX_PATTERN_LENGTH || size > MAX_PATTERN_SIZE) {
      throw new PatternFault(source, 'it is too long, or repeats too much: shorten it');
    }
    if (this.patternsSize > MAX_PATTERNS_SIZE) {
      throw new PatternFault(source, 'together with the patterns before it, it is too long: shorten them');
    }
    const regex = compilePattern(source);
    const test = (text: string): boolean => {
      this.work += text.length * size;
      if (this.work > MAX_MATCH_WORK) throw new WorkFault();
      return regex.test(text);
    };
    return { test, toString: () => source };
  }
}

/** The schema has a pattern that cannot be used. */
class PatternFault extends Error {
  constructor(
    readonly pattern: string,
    reason: string,
  ) {
    super(`the pattern ${JSON.stringify(pattern.slice(0, 100))} cannot be used: ${reason}`);
  }
}

class WorkFault extends Error {
  override readonly message = 'input is too long to be matched with the patterns of spec.input: shorten it';
}

/** JSON Schema writes code points as `\u0041` or `\u{41}`, RE2 as `\x{41}`. */
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|[^])/g;

function compilePattern(source: string): RE2JS {
  const translated = source.replaceAll(ESCAPE, (escape, four?: string, braced?: string) => {
    const digits = four ?? braced;
    return digits === undefined ? escape : `\\x{${digits}}`;
  });
  try {
    return RE2JS.compile(translated);
  } catch (error) {
    const reason = messageOf(error);
    throw new PatternFault(
      source,
      `${reason.slice(0, 200)}; the syntax is RE2's, without lookaround and back-references`,
    );
  }
}

/** The format `url`; the library's own expression takes the square of the text's length. */
function isWebAddress(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** In the time of reading the items once; the library compares each with each. */
function areUnique(items: readonly JsonValue[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item, sortedKeys))).size === items.length;
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a value holds no more than `limit` values; looks at no more than that. */
function hasAtMost(limit: number, value: JsonValue): boolean {
  const open: JsonValue[] = [value];
  for (let count = 1; open.length > 0; count++) {
    const next = open.pop();
    if (typeof next === 'object' && next !== null) {
      for (const member of Array.isArray(next) ? next : Object.values(next)) {
        open.push(member as JsonValue);
        if (count + open.length > limit) return false;
      }
    }
  }
  return true;
}

function placeOfPattern(value: JsonValue, pattern: string, pointer: JsonPointer): JsonPointer | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const at = childPointer(pointer, key);
    if (member === pattern || key === pattern) return at;
    const inside = placeOfPattern(member as JsonValue, pattern, at);
    if (inside !== null) return inside;
  }
  return null;
}

function faultOf(error: ErrorObject): InputFault {
  const where = error.instancePath === '' ? 'input' : `input${error.instancePath.replaceAll('/', '.')}`;
  return { path: error.instancePath, message: `${where} ${error.message ?? 'is not valid'}` };
}

import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { loadAjv, loadAjvFormats } from './ajv.js';
import { addEqualityKeywords } from './equality-keywords.js';
import { Patterns, WorkFault } from './patterns.js';
import { type SchemaProblem, schemaProblems } from './schema-words.js';

/** Characters of a text that must be a regular expression. */
const MAX_REGEX_LENGTH = 10_000;

export interface InputFault {
  /** JSON pointer into the input. */
  readonly path: string;
  readonly message: string;
}

const MAX_FAULTS = 100;

/** The value is no JSON Schema. */
export class NoSchema extends Error {
  constructor(readonly problems: readonly SchemaProblem[]) {
    super(problems.map(({ message }) => message).join('; '));
  }
}

/** Throws a `NoSchema`. */
export function refuseNoSchema(schema: JsonObject, root: string): void {
  const problems = schemaProblems(schema, root);
  if (problems.length > 0) throw new NoSchema(problems);
}

/** A compiled schema. Its code grows linearly with the schema: references are called, never inlined. */
export class Validator {
  private readonly validate: ReturnType<Ajv2020['compile']>;
  private readonly patterns = new Patterns();

  /** `subject`: what is checked, in a message. */
  constructor(
    schema: JsonObject,
    allErrors: boolean,
    private readonly subject = 'input',
  ) {
    const regExp = Object.assign((pattern: string) => this.patterns.of(pattern), { code: 'boundedPattern' });
    // `ownProperties`: a field named `constructor` is not there just because every object inherits one.
    const options = {
      allErrors,
      strict: false,
      logger: false,
      ownProperties: true,
      inlineRefs: false,
      // Checked by `refuseNoSchema`, whose schema need not be compiled for each.
      validateSchema: false,
      // Optimising takes four fifths of the time to compile a schema, and the code runs only a few times.
      code: { regExp, optimize: false },
    } as const;
    const ajv = new (loadAjv().Ajv2020)(options);
    addBoundedFormats(ajv);
    addEqualityKeywords(ajv);
    this.validate = ajv.compile(schema);
  }

  /** Null when the patterns need more than `matchWork` characters times instructions. */
  faultsOf(input: JsonValue, matchWork: number): readonly InputFault[] | null {
    this.patterns.workLeft = matchWork;
    try {
      if (this.validate(input)) return [];
      return (this.validate.errors ?? []).slice(0, MAX_FAULTS).map((error) => faultOf(error, this.subject));
    } catch (error) {
      if (error instanceof WorkFault) return null;
      if (!(error instanceof RangeError)) throw error;
      const { subject } = this;
      const message = `${subject} cannot be checked: it, or ${subject === 'input' ? 'spec.input' : 'its schema'}, is nested too deep`;
      return [{ path: '', message }];
    } finally {
      // Errors hold the values that they complain about.
      this.validate.errors = null;
    }
  }
}

function faultOf(error: ErrorObject, subject: string): InputFault {
  const where = error.instancePath === '' ? subject : `${subject}${error.instancePath.replaceAll('/', '.')}`;
  return { path: error.instancePath, message: `${where} ${error.message ?? 'is not valid'}` };
}

/** All formats of the library read a text once from left to right, but for the two that are replaced here. */
function addBoundedFormats(ajv: Ajv2020): void {
  loadAjvFormats()(ajv);
  ajv.addFormat('url', isWebAddress);
  ajv.addFormat('regex', isRegex);
}

/** The library's own expression is quadratic in the text's length. */
function isWebAddress(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}

function isRegex(text: string): boolean {
  if (text.length > MAX_REGEX_LENGTH) return false;
  try {
    return RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

import type { ExpressionScope } from '../../core/plan/expression.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { MAX_FAULTS, UnreadablePlanError } from '../../../errors/document-errors.js';
import type { ExpressionAllowance } from './limits/allowance.js';
import { MAX_TEMPLATE_LENGTH, MAX_VALUE_DEPTH } from './limits/bounds.js';
import { chargeBuilt, chargeResult } from './limits/budget.js';
import { AllowanceFault, CompileFault } from './faults/compile-fault.js';
import { type KnownUnits, unitsWithin } from './known-units.js';
import type { Program } from './program/program.js';
import { explaining, laterProgramOf, programOf } from './program/program.js';
import { EVALUATORS, type EvaluatorRevision } from './program/revision.js';
import type { Surroundings } from './surroundings.js';
import type { TextPiece } from './parsing/template-text.js';
import { piecesOf } from './parsing/template-text.js';

/** A value of a template: known when it is compiled, or run within the budget of an evaluation. */
export type TemplatePart =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | { readonly kind: 'computed'; run(scope: ExpressionScope): JsonValue };

/** A string of a template that cannot be compiled. */
export class TemplateFault extends Error {
  constructor(
    message: string,
    readonly path: string,
    readonly text: string,
    readonly offset: number,
    /** Whether nothing after it is looked at. */
    readonly isLast = false,
  ) {
    super(message);
  }
}

/** The strings of a template that cannot be compiled, 100 at most. */
export class TemplateFaults extends Error {
  constructor(readonly faults: readonly TemplateFault[]) {
    super(faults[0]?.message);
  }
}

/**
 * What holds no expression is kept as it is, without a copy: the value must be frozen. What is made of the rest is
 * frozen too. Throws a `TemplateFaults`.
 */
export function templatePartOf(
  value: JsonValue,
  surroundings: Surroundings,
  allowance: ExpressionAllowance,
  units: KnownUnits | null,
): { readonly part: TemplatePart; readonly revision: EvaluatorRevision } {
  let length = 0;
  let revision: EvaluatorRevision = EVALUATORS.first;
  const compile = (source: string, at: ExpressionPosition): Program => {
    length += source.length;
    if (length > MAX_TEMPLATE_LENGTH) throw new AllowanceFault(TOO_LONG_TOGETHER, 0);
    allowance.take(source);
    const compiled = programOf(source, surroundings, unitsWithin(units, at));
    if (compiled.revision > revision) revision = compiled.revision;
    return compiled.program;
  };
  const faults: TemplateFault[] = [];
  const part = partWithin(value, { compile, path: '', depth: 0, faults });
  if (part === null) throw new TemplateFaults(faults);
  return { part, revision };
}

/** Null when there are faults. */
function partWithin(
  value: JsonValue,
  location: TemplateLocation & { readonly faults: TemplateFault[] },
): TemplatePart | null {
  try {
    const part = partOf(value, location);
    return location.faults.length === 0 ? part : null;
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    location.faults.push(error);
    return null;
  }
}

const TOO_LONG_TOGETHER = `the expressions of this value have more than ${MAX_TEMPLATE_LENGTH} characters together: give the work to several units`;

/** The part of a value that was compiled once: its expressions are compiled again when they first run. */
export function laterTemplatePartOf(value: JsonValue, surroundings: Surroundings): TemplatePart {
  try {
    return partOf(value, {
      compile: (source) => laterProgramOf(source, surroundings),
      path: '',
      depth: 0,
      faults: null,
    });
  } catch (error) {
    throw error instanceof TemplateFault ? UnreadablePlanError.damaged(error.message) : error;
  }
}

/** Where an expression begins: a text of the value, and the offset in it. */
interface ExpressionPosition {
  readonly path: string;
  readonly text: string;
  readonly start: number;
}

interface TemplateLocation {
  readonly compile: (source: string, at: ExpressionPosition) => Program;
  readonly path: string;
  readonly depth: number;
  /** Collects the faults of strings, after which others are looked at; null: the first fault is thrown. */
  readonly faults: TemplateFault[] | null;
}

function partOf(value: JsonValue, location: TemplateLocation): TemplatePart {
  if (typeof value === 'string') return stringPartWithin(value, location);
  if (typeof value !== 'object' || value === null) return { kind: 'literal', value };
  if (location.depth >= MAX_VALUE_DEPTH) {
    throw new TemplateFault(
      `the value is nested deeper than ${MAX_VALUE_DEPTH} levels`,
      location.path,
      '',
      0,
    );
  }
  if (Object.hasOwn(value, '__proto__')) {
    throw new TemplateFault('the key __proto__ is refused: choose another name', location.path, '', 0);
  }
  const parts = Object.entries(value).map(([key, member]): Member => [
    key,
    partOf(member as JsonValue, inside(location, key)),
  ]);
  if (parts.every(([key, part]) => isUnchanged(part, (value as JsonObject)[key])))
    return { kind: 'literal', value };
  const build = Array.isArray(value) ? list : object;
  if (parts.every(([, part]) => part.kind === 'literal')) {
    return { kind: 'literal', value: build(parts, () => null) };
  }
  return {
    kind: 'computed',
    run: (scope) => build(parts, (part) => part.run(scope)),
  };
}

type Member = readonly [key: string, part: TemplatePart];
type Computed = Extract<TemplatePart, { kind: 'computed' }>;

function inside({ path, depth, ...location }: TemplateLocation, key: string): TemplateLocation {
  return {
    ...location,
    path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    depth: depth + 1,
  };
}

function isUnchanged(part: TemplatePart, value: JsonValue | undefined): boolean {
  return part.kind === 'literal' && part.value === value;
}

function list(parts: readonly Member[], run: (part: Computed) => JsonValue): JsonValue {
  return Object.freeze(parts.map(([, part]) => (part.kind === 'literal' ? part.value : run(part))));
}

function object(parts: readonly Member[], run: (part: Computed) => JsonValue): JsonValue {
  const built: Record<string, JsonValue> = {};
  for (const [key, part] of parts) built[key] = part.kind === 'literal' ? part.value : run(part);
  return Object.freeze(built);
}

function stringPartWithin(text: string, location: TemplateLocation): TemplatePart {
  try {
    return stringPartOf(text, location);
  } catch (error) {
    const isKept = error instanceof TemplateFault && !error.isLast && location.faults !== null;
    if (!isKept || location.faults.length === MAX_FAULTS - 1) throw error;
    location.faults.push(error);
    return { kind: 'literal', value: text };
  }
}

function stringPartOf(text: string, location: TemplateLocation): TemplatePart {
  if (!text.includes('${{')) return { kind: 'literal', value: text };
  const pieces = guarded(text, 0, location, () => piecesOf(text));
  const whole = wholeExpression(pieces);
  if (whole !== undefined) {
    const program = programAt(whole, text, location);
    return { kind: 'computed', run: (scope) => program.run(scope) };
  }
  if (pieces.every((piece) => piece.kind === 'text')) {
    return { kind: 'literal', value: pieces.map((piece) => piece.text).join('') };
  }
  const writers = pieces.map((piece) =>
    piece.kind === 'text' ? piece.text : programAt(piece, text, location),
  );
  return { kind: 'computed', run: (scope) => written(text, writers, scope) };
}

type ExpressionPiece = Extract<TextPiece, { kind: 'expression' }>;

/** The only expression of a string that is nothing else but white space. */
function wholeExpression(pieces: readonly TextPiece[]): ExpressionPiece | undefined {
  const [piece, ...others] = pieces.filter((each) => each.kind === 'expression' || each.text.trim() !== '');
  return piece?.kind === 'expression' && others.length === 0 ? piece : undefined;
}

function programAt({ source, offset }: ExpressionPiece, text: string, location: TemplateLocation): Program {
  return guarded(text, offset, location, () =>
    location.compile(source, { path: location.path, text, start: offset }),
  );
}

function guarded<T>(text: string, offset: number, { path }: TemplateLocation, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof CompileFault)) throw error;
    throw new TemplateFault(
      error.message,
      path,
      text,
      offset + error.offset,
      error instanceof AllowanceFault,
    );
  }
}

function written(source: string, writers: readonly (string | Program)[], scope: ExpressionScope): string {
  let text = '';
  for (const writer of writers) text += typeof writer === 'string' ? writer : textOf(writer.run(scope));
  return explaining(source, () => {
    chargeBuilt(text.length);
    chargeResult(1, 0);
    return text;
  });
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

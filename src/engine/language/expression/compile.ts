import type { Expression, ExpressionScope } from '../../core/plan/expression.js';
import { deepFreeze } from '../../core/freeze.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { withBudget } from './limits/budget.js';
import { type ExpressionAllowance, UNLIMITED } from './limits/allowance.js';
import { CompileFault } from './faults/compile-fault.js';
import { type KnownUnits, unitsWithin } from './known-units.js';
import type { Program } from './program/program.js';
import { laterProgramOf, programOf } from './program/program.js';
import type { EvaluatorRevision } from './program/revision.js';
import type { StoredExpression } from './stored-expression.js';
import type { Surroundings } from './surroundings.js';
import { NO_LOOPS } from './surroundings.js';
import { laterTemplatePartOf, TemplateFaults, templatePartOf } from './template.js';
import type { TemplatePart } from './template.js';

/** A position in a text; line and column count from 1, columns in UTF-16 code units. */
interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** A JSON value whose strings may hold expressions. */
export interface Template extends Expression {
  toStored(): StoredExpression & { readonly kind: 'template' };
  /** True when no string holds an expression: `evaluate` then returns the same value each time. */
  readonly isLiteral: boolean;
}

/** Why a text does not compile, and where in it. */
interface Refused extends SourcePosition {
  readonly ok: false;
  /** A clause without its full stop. */
  readonly message: string;
  /** In UTF-16 code units; line and column say the same. */
  readonly offset: number;
}

export type CompileResult = { readonly ok: true; readonly expression: Expression } | Refused;

export type TemplateResult =
  | { readonly ok: true; readonly template: Template }
  /** The other fields are those of the first of the faults. */
  | (RefusedString & { readonly ok: false; readonly faults: readonly RefusedString[] });

interface RefusedString extends Omit<Refused, 'ok'> {
  /** A JSON pointer into the value, to the `text` that holds the position. */
  readonly path: string;
  readonly text: string;
}

/** What an expression needs of the document in which it stands. */
export interface DocumentContext {
  /** What is left of the document's allowance. */
  readonly allowance: ExpressionAllowance;
  /** The units that expressions may read; null: this is not checked. */
  readonly units: KnownUnits | null;
}

const OF_NO_DOCUMENT: DocumentContext = { allowance: UNLIMITED, units: null };

/** Compiles a CEL expression (the language page, "Expressions"). Without `surroundings` it stands in no loop. */
export function compileExpression(
  source: string,
  surroundings: Surroundings = NO_LOOPS,
  { allowance, units }: DocumentContext = OF_NO_DOCUMENT,
): CompileResult {
  try {
    allowance.take(source);
    const known = unitsWithin(units, { path: '', text: source, start: 0 });
    const { program, revision } = programOf(source, surroundings, known);
    return { ok: true, expression: new CompiledExpression(program, surroundings, revision) };
  } catch (error) {
    if (!(error instanceof CompileFault)) throw error;
    const { message, offset } = error;
    return { ok: false, message, offset, ...positionAt(source, offset) };
  }
}

/**
 * Compiles every `${{ … }}` in the strings of the value (never in its keys). A string that is one whole
 * `${{ … }}` becomes the expression's value with its type; otherwise values are written into the text: strings
 * as they are, null as `null`, lists and maps as JSON. `$${{` stands for the characters `${{`. Freezes the value.
 */
export function compileTemplate(
  value: JsonValue,
  surroundings: Surroundings = NO_LOOPS,
  { allowance, units }: DocumentContext = OF_NO_DOCUMENT,
): TemplateResult {
  try {
    const { part, revision } = templatePartOf(deepFreeze(value), surroundings, allowance, units);
    return { ok: true, template: new CompiledTemplate(value, surroundings, revision, part) };
  } catch (error) {
    if (!(error instanceof TemplateFaults)) throw error;
    const faults = error.faults.map(({ path, text, message, offset }): RefusedString => {
      return { path, text, message, offset, ...positionAt(text, offset) };
    });
    const [first] = faults;
    if (first === undefined) throw error;
    return { ok: false, ...first, faults };
  }
}

/** An expression that was compiled once and is stored: nothing of it is looked at before it is evaluated. */
export function storedExpression(
  source: string,
  surroundings: Surroundings,
  revision: EvaluatorRevision,
): Expression {
  return new CompiledExpression(laterProgramOf(source, surroundings), surroundings, revision);
}

/** As `storedExpression`, for a template. The value must be frozen. */
export function storedTemplate(
  value: JsonValue,
  surroundings: Surroundings,
  revision: EvaluatorRevision,
): Template {
  return new CompiledTemplate(value, surroundings, revision, null);
}

/** Combines two templates that give objects: the keys of `over` win. */
export function overlay(under: Template, over: Template): Expression {
  return {
    source: under.source,
    evaluate: (scope) =>
      Object.freeze({ ...(under.evaluate(scope) as JsonObject), ...(over.evaluate(scope) as JsonObject) }),
    toStored: (): StoredExpression => {
      const stored = over.toStored();
      const first = under.toStored();
      const evaluator = Math.max(first.evaluator, stored.evaluator);
      return { ...first, evaluator, kind: 'overlay', over: stored.value };
    },
  };
}

class CompiledExpression implements Expression {
  constructor(
    private readonly program: Program,
    private readonly around: Surroundings,
    private readonly revision: EvaluatorRevision,
  ) {}

  get source(): string {
    return this.program.source;
  }

  evaluate(scope: ExpressionScope): JsonValue {
    return withBudget(() => this.program.run(scope), scope.meter);
  }

  toStored(): StoredExpression {
    return { kind: 'expression', source: this.source, ...storedAround(this.around, this.revision) };
  }
}

class CompiledTemplate implements Template {
  constructor(
    private readonly value: JsonValue,
    private readonly around: Surroundings,
    private readonly revision: EvaluatorRevision,
    private known: TemplatePart | null,
  ) {}

  private get part(): TemplatePart {
    return (this.known ??= laterTemplatePartOf(this.value, this.around));
  }

  get source(): string {
    return typeof this.value === 'string' ? this.value : JSON.stringify(this.value);
  }

  get isLiteral(): boolean {
    return this.part.kind === 'literal';
  }

  evaluate(scope: ExpressionScope): JsonValue {
    const { part } = this;
    return part.kind === 'literal' ? part.value : withBudget(() => part.run(scope), scope.meter);
  }

  toStored(): StoredExpression & { readonly kind: 'template' } {
    return { kind: 'template', value: this.value, ...storedAround(this.around, this.revision) };
  }
}

function storedAround(
  { inLoop, itemNames, inCatch, inCompensation, inVars }: Surroundings,
  evaluator: EvaluatorRevision,
) {
  const caught = inCatch === true ? { inCatch } : {};
  const undoing = inCompensation === true ? { inCompensation } : {};
  const before = inVars === true ? { inVars } : {};
  return { evaluator, inLoop, itemNames, ...caught, ...undoing, ...before };
}

function positionAt(text: string, offset: number): SourcePosition {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

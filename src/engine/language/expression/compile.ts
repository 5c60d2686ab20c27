import type { Expression, ExpressionScope } from '../../core/plan/expression.js';
import { deepFreeze } from '../../core/freeze.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { withBudget } from './budget.js';
import { CompileFault } from './compile-fault.js';
import type { Program } from './program.js';
import { programOf } from './program.js';
import type { SourcePosition } from './source-position.js';
import { positionAt } from './source-position.js';
import type { StoredExpression } from './stored-expression.js';
import type { Surroundings } from './surroundings.js';
import { NO_LOOPS } from './surroundings.js';
import { TemplateFault, templatePartOf } from './template.js';
import type { TemplatePart } from './template.js';

/** What expressions mean. One that means something else is a new evaluator beside this one, in `evaluators.ts`. */
export const EVALUATOR_REVISION = 1;

/** A JSON value whose strings may hold expressions. */
export interface Template extends Expression {
  toStored(): StoredExpression & { readonly kind: 'template' };
  /** True when no string holds an expression: `evaluate` then returns the same value each time. */
  readonly isLiteral: boolean;
}

/** `message` is a clause without its full stop; the place counts from 1 within the expression. */
export type CompileResult =
  | { readonly ok: true; readonly expression: Expression }
  | ({ readonly ok: false; readonly message: string } & SourcePosition);

/** `path` is a JSON pointer into the value; the place counts from 1 within the string that stands there. */
export type TemplateResult =
  | { readonly ok: true; readonly template: Template }
  | ({ readonly ok: false; readonly path: string; readonly message: string } & SourcePosition);

/** Compiles a CEL expression (the language page, "Expressions"). Without `surroundings` it stands in no loop. */
export function compileExpression(source: string, surroundings: Surroundings = NO_LOOPS): CompileResult {
  try {
    return { ok: true, expression: new CompiledExpression(programOf(source, surroundings), surroundings) };
  } catch (error) {
    if (!(error instanceof CompileFault)) throw error;
    return { ok: false, message: error.message, ...positionAt(source, error.offset) };
  }
}

/**
 * Compiles every `${{ … }}` in the strings of the value (never in its keys). A string that is one whole
 * `${{ … }}` becomes the expression's value with its type; otherwise values are written into the text: strings
 * as they are, null as `null`, lists and maps as JSON. `$${{` stands for the characters `${{`. Freezes the value.
 */
export function compileTemplate(value: JsonValue, surroundings: Surroundings = NO_LOOPS): TemplateResult {
  try {
    const part = templatePartOf(deepFreeze(value), surroundings);
    return { ok: true, template: new CompiledTemplate(value, part, surroundings) };
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return { ok: false, path: error.path, message: error.message, ...positionAt(error.text, error.offset) };
  }
}

/** Of two templates that give objects one: the keys of `over` win. */
export function overlay(under: Template, over: Template): Expression {
  return {
    source: under.source,
    evaluate: (scope) =>
      Object.freeze({ ...(under.evaluate(scope) as JsonObject), ...(over.evaluate(scope) as JsonObject) }),
    toStored: (): StoredExpression => ({
      ...under.toStored(),
      kind: 'overlay',
      over: over.toStored().value,
    }),
  };
}

class CompiledExpression implements Expression {
  constructor(
    private readonly program: Program,
    private readonly around: Surroundings,
  ) {}

  get source(): string {
    return this.program.source;
  }

  evaluate(scope: ExpressionScope): JsonValue {
    return withBudget(() => this.program.run(scope), scope.meter);
  }

  toStored(): StoredExpression {
    return { kind: 'expression', source: this.source, ...storedAround(this.around) };
  }
}

class CompiledTemplate implements Template {
  constructor(
    private readonly value: JsonValue,
    private readonly part: TemplatePart,
    private readonly around: Surroundings,
  ) {}

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
    return { kind: 'template', value: this.value, ...storedAround(this.around) };
  }
}

function storedAround({ inLoop, itemNames }: Surroundings) {
  return { evaluator: EVALUATOR_REVISION, inLoop, itemNames };
}

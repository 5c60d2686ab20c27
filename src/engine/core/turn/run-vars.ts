import { ExpressionError } from '../../../errors/document-errors.js';
import type { JsonObject, JsonValue } from '../json.js';
import { approximateChars } from '../json-size.js';
import type { EvaluationMeter, ExpressionScope } from '../plan/expression.js';
import type { Plan } from '../plan/plan.js';
import { NOTHING_SHARED } from '../plan/expression.js';

/** All vars of a run together, as JSON: they stay in its state for as long as it lives. */
const MAX_VARS_CHARS = 1_048_576;
/** Weighted steps of all of them, about a nanosecond each: as much as one expression may take. */
const MAX_VARS_STEPS = 50_000_000;

/** What `spec.vars` gives for a run that is about to be made. A problem is a clause without its full stop. */
export type VarsResult =
  { readonly ok: true; readonly vars: JsonObject } | { readonly ok: false; readonly problem: string };

/**
 * Evaluates `spec.vars`, each with those above it in scope. The one evaluation outside of `decide`: a run whose vars have a
 * fault is not made, and `decide` is about runs that are. What comes of it is a fact of the start, as the input is.
 */
export function evaluateVars(
  { vars: given }: Pick<Plan, 'vars'>,
  { input, run }: Pick<ExpressionScope, 'input' | 'run'>,
): VarsResult {
  const vars: Record<string, JsonValue> = {};
  const meter: EvaluationMeter = { steps: 0 };
  let chars = 0;
  for (const { name, value } of given) {
    try {
      vars[name] = value.evaluate({ input, run, state: NOTHING_SHARED, vars: { ...vars }, meter });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return { ok: false, problem: `spec.vars.${name}: ${error.message.replace(/\.$/, '')}` };
    }
    chars += approximateChars(vars[name]);
    if (chars > MAX_VARS_CHARS)
      return {
        ok: false,
        problem: `spec.vars.${name}: the vars come to more than ${MAX_VARS_CHARS} characters: keep less`,
      };
    if (meter.steps > MAX_VARS_STEPS)
      return {
        ok: false,
        problem: `spec.vars.${name}: the vars take too much work together: do less in them`,
      };
  }
  return { ok: true, vars: Object.freeze(vars) };
}

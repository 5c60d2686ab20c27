import { UnreadablePlanError } from '../../errors/document-errors.js';
import type { JsonObject } from '../core/json.js';
import type { Plan } from '../core/plan/plan.js';
import type { Annotations } from '../language/document.js';
import { decodePlan, encodePlan } from '../language/stored-plan/plan-codec.js';

/** What is known of a workflow besides its plan, without compiling its text again. */
export type About = {
  /** The language's revision by which the plan was compiled. */
  readonly language: number;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Absent in plans that were stored before there were annotations. */
  readonly annotations?: Annotations;
  readonly flowType: string;
  /** `spec.input`. */
  readonly input: JsonObject | null;
};

/** The plan as the store keeps it: its encoded form and, under `about`, the rest. */
export function planText(plan: Plan, about: About): string {
  return JSON.stringify({ ...encodePlan(plan), about });
}

/** Throws an `UnreadablePlanError`. */
export function readPlanText(text: string): { readonly plan: Plan; readonly about: About } {
  const json = parsed(text);
  const plan = decodePlan(json);
  const { about } = json as { readonly about?: About };
  if (about === undefined) throw UnreadablePlanError.damaged('it does not say what it is about');
  return { plan, about };
}

function parsed(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    throw UnreadablePlanError.damaged('it is no JSON', error);
  }
}

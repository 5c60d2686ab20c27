import type { JsonObject } from '../core/json.js';
import type { Plan } from '../core/plan/plan.js';
import type { HttpBinding } from '../ports/http-binding.js';

/** A registered workflow, compiled. Runs are pinned to it by the plan's hash, within the namespace. */
export interface Definition {
  readonly namespace: string;
  readonly plan: Plan;
  readonly yaml: string;
  /** As registered, by `uses`. */
  readonly bindings: Bindings;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly flowType: string;
  /** Epoch ms. */
  readonly registeredAt: number;
  /** Checks a run's input against `spec.input`; null when every object will do. */
  readonly checkInput: InputCheck | null;
}

export type Bindings = ReadonlyMap<string, HttpBinding>;

/** The faults of an input, or none. */
export type InputCheck = (
  input: JsonObject,
) => readonly { readonly path: string; readonly message: string }[];

import type { JsonObject } from '../core/json.js';
import type { Plan } from '../core/plan/plan.js';
import type { Annotations } from '../language/document.js';
import type { HttpBinding } from '../ports/http-binding.js';

/** A registered workflow, compiled. Runs are pinned to it by the plan's hash, within the namespace. */
export interface Definition {
  readonly namespace: string;
  readonly plan: Plan;
  /** The bindings as registered, by `uses`. */
  readonly bindings: Bindings;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Frozen, and so is `input`. */
  readonly annotations: Annotations;
  readonly flowType: string;
  /** Epoch ms. */
  readonly registeredAt: number;
  /** Characters of the document and the plan as they are stored; the memory that the definition takes grows with them. */
  readonly size: number;
  /** `spec.input`; null when every object will do. */
  readonly input: JsonObject | null;
  /** Checks a run's input against `spec.input`; null when every object will do. */
  readonly checkInput: InputCheck | null;
}

export type Bindings = ReadonlyMap<string, HttpBinding>;

type InputFaults = readonly { readonly path: string; readonly message: string }[];

/**
 * Finds the faults of an input, or none; a promise where that takes a while. `caller`: whose share of the threads the check
 * takes; null: the workflow's, for a check that no caller asked for.
 */
export type InputCheck = (input: JsonObject, caller: string | null) => InputFaults | Promise<InputFaults>;

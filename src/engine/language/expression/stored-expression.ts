import type { JsonValue } from '../../core/json.js';

/**
 * An expression as a stored plan has it. `evaluator` says how it is read and what it means: a change of meaning is a
 * new evaluator, and the old one stays for the plans that name it.
 */
export type StoredExpression = {
  readonly evaluator: number;
  /** The loop variables in scope: `iteration`, and the names of the items of the enclosing foreachs, the nearest last. */
  readonly inLoop: boolean;
  readonly itemNames: readonly string[];
  /** `error` is in scope; absent: it is not. */
  readonly inCatch?: true;
  /** Of what undoes a unit: `done` is in scope; absent: it is not. */
  readonly inCompensation?: true;
  /** In `spec.vars`; absent: it is not. */
  readonly inVars?: true;
} & (
  | { readonly kind: 'expression'; readonly source: string }
  | { readonly kind: 'template'; readonly value: JsonValue }
  /** Two templates that give objects: the keys of `over` win. */
  | { readonly kind: 'overlay'; readonly value: JsonValue; readonly over: JsonValue }
);

import type { JsonObject, JsonValue } from '../json.js';

/** What of the shared state an expression can look up; never copied, however large the state is. */
export interface StateView {
  get(key: string): JsonValue | undefined;
  has(key: string): boolean;
  /** Keys in the order in which they were first written. */
  keys(): Iterable<string>;
}

/** Where no state is in scope. */
export const NOTHING_SHARED: StateView = { get: () => undefined, has: () => false, keys: () => [] };

/** Adds up what evaluations cost. */
export interface EvaluationMeter {
  /**
   * Weighted steps: the same on every machine and in every run of the same evaluation, one that failed included. About
   * a nanosecond each where they were weighed, so a million of them are about a millisecond.
   */
  steps: number;
}

/** Everything that is in scope of an expression (the language page, "Expressions"). */
export interface ExpressionScope {
  readonly input: JsonObject;
  readonly state: StateView;
  readonly run: { readonly runId: string; readonly workflowId: string; readonly createdAt: number };
  /** Set inside a loop; counts from 0. */
  readonly iteration?: number | undefined;
  /** Set inside a foreach, together with `index`. */
  readonly item?: JsonValue | undefined;
  readonly index?: number | undefined;
  /** Set inside the `catch` and the `finally` of a try; null: nothing failed. */
  readonly error?: JsonValue | undefined;
  /** Set in what undoes a unit: what that was given, and gave. */
  readonly done?: JsonObject | undefined;
  /** What `spec.vars` gave when the run was made; absent: nothing. */
  readonly vars?: JsonObject | undefined;
  /** Epoch ms: the instant of the events that the evaluation causes. Absent: there is no time. */
  readonly now?: number | undefined;
  /** Every evaluation in this scope adds its cost to the meter. */
  readonly meter?: EvaluationMeter | undefined;
}

/**
 * A compiled expression or a compiled template (a JSON value whose strings may hold `${{ … }}`).
 * `evaluate` throws an `ExpressionError` and nothing else; it is bounded in time and memory.
 */
export interface Expression {
  /** The text as the author wrote it, for messages. */
  readonly source: string;
  /** The value is deeply frozen, so that no holder can change it for others. */
  evaluate(scope: ExpressionScope): JsonValue;
  /** What a stored plan keeps of the expression: enough for the language to make the same one again, permanently. */
  toStored(): JsonObject;
}

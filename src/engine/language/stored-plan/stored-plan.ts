import type { JsonObject } from '../../core/json.js';
import type {
  BudgetPolicy,
  CircuitBreakerPolicy,
  ForeachNode,
  MaxFailures,
  ParallelNode,
  Plan,
  RateLimitPolicy,
  RetryPolicy,
  UnitKind,
} from '../../core/plan/plan.js';
import type { StoredExpression } from '../expression/stored-expression.js';

/**
 * A plan as JSON: everything that a run needs of it, every default as it was resolved, nothing that a later compiler
 * could read in another way. A build reads every revision that there ever was.
 */
export type StoredPlan = {
  readonly revision: number;
  readonly workflowId: string;
  readonly hash: string;
  readonly maxParallelUnits: number;
  readonly workflowMs: number | null;
  readonly units: readonly StoredUnit[];
  readonly flow: StoredNode;
  /** From revision 2 on; absent: none. */
  readonly onCancel?: StoredNode;
  /** From revision 3 on; absent: none. */
  readonly vars?: readonly { readonly name: string; readonly value: StoredExpression }[];
  /** From revision 3 on; absent: none. */
  readonly output?: StoredExpression;
  /** From revision 3 on; absent: on a failure and on a cancel. */
  readonly compensateOn?: { readonly [K in keyof Plan['compensateOn']]: boolean };
};

export type StoredUnit = {
  readonly id: string;
  readonly uses: string;
  readonly kind: UnitKind;
  readonly input: StoredExpression | null;
  readonly config: JsonObject;
  readonly settings: StoredExpression | null;
  readonly condition: StoredExpression | null;
  readonly pause: 'before' | 'after' | null;
  readonly retry: { readonly [K in keyof RetryPolicy]: RetryPolicy[K] };
  readonly timeoutMs: number;
  readonly contextPolicy: JsonObject;
  readonly stateKeys: 'all' | readonly string[];
  readonly remembered: boolean;
  /** From revision 2 on, as the two below; absent: none. */
  readonly budget?: { readonly [K in keyof BudgetPolicy]: BudgetPolicy[K] };
  readonly circuitBreaker?: { readonly [K in keyof CircuitBreakerPolicy]: CircuitBreakerPolicy[K] };
  readonly rateLimit?: { readonly [K in keyof RateLimitPolicy]: RateLimitPolicy[K] };
  /** From revision 3 on; absent: nothing undoes it. */
  readonly compensate?: {
    readonly unitId: string;
    readonly path: string;
    readonly input: StoredExpression | null;
    readonly onUnknown: boolean;
  };
};

/** Null where a plan has no bound: JSON has no infinity. */
export type StoredBound = number | null;

export type StoredNode = {
  /** What its path has beyond its parent's; the root's is its whole path. */
  readonly at: string;
  readonly slot: number;
  readonly isBranch: boolean;
} & (
  | { readonly type: 'unit'; readonly unitId: string }
  | { readonly type: 'sequential'; readonly order: readonly StoredNode[] }
  | {
      readonly type: 'parallel';
      readonly branches: readonly StoredNode[];
      readonly reducer: StoredNode | null;
      readonly failureStrategy: ParallelNode['failureStrategy'];
      readonly maxConcurrency: StoredBound;
    }
  | {
      readonly type: 'router';
      readonly router: StoredNode;
      readonly routes: readonly { readonly key: string; readonly flow: StoredNode }[];
      readonly fallback: StoredNode | null;
    }
  | {
      readonly type: 'switch';
      readonly cases: readonly { readonly condition: StoredExpression; readonly flow: StoredNode }[];
      readonly fallback: StoredNode | null;
    }
  | {
      readonly type: 'loop';
      readonly body: StoredNode;
      readonly maxIterations: number;
      readonly untilStateKey: string | null;
      readonly until: StoredExpression | null;
    }
  | {
      readonly type: 'foreach';
      readonly items: StoredExpression;
      readonly itemName: string;
      readonly body: StoredNode;
      readonly maxConcurrency: StoredBound;
      readonly collect: string | null;
      /** From revision 3 on, as the three below; absent: `fail-fast`, and none. */
      readonly failureStrategy?: ForeachNode['failureStrategy'];
      readonly failures?: string;
      readonly maxFailures?: MaxFailures;
      readonly itemKey?: StoredExpression;
    }
  | {
      readonly type: 'dag';
      readonly planner: StoredNode | null;
      readonly executors: readonly StoredNode[];
      readonly dependencies: readonly (readonly number[])[];
      readonly aggregator: StoredNode | null;
      readonly maxConcurrency: StoredBound;
    }
  | {
      readonly type: 'delegation';
      readonly orchestrator: StoredNode;
      readonly specialists: readonly StoredNode[];
      readonly maxRounds: number;
    }
  /** From revision 3 on. */
  | {
      readonly type: 'try';
      readonly body: StoredNode;
      readonly timeout: StoredExpression | null;
      readonly handler: StoredNode | null;
      /** Absent: it does not. */
      readonly compensates?: true;
      readonly ignores: boolean;
      readonly rethrows: boolean;
      readonly finalizer: StoredNode | null;
    }
  | {
      readonly type: 'race';
      readonly branches: readonly StoredNode[];
      readonly winner: string | null;
      /** Absent: it does not. */
      readonly compensates?: true;
    }
);

export function orNull<T, R>(value: T | null, change: (value: T) => R): R | null {
  return value === null ? null : change(value);
}

/** A workflow as data, field by field what `flowgate-client/schemas/workflow.v1.schema.json` describes. */
export interface WorkflowDocument {
  /** A group and `/v1`: `flowgate/v1` unless the service is set to take others. */
  readonly apiVersion: string;
  readonly kind: 'Workflow';
  readonly metadata: WorkflowMetadata;
  readonly spec: WorkflowSpec;
}

export interface WorkflowMetadata {
  /** Any text of 1 to 256 characters without control characters. */
  readonly id: string;
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** What programs around the service should know of the workflow. */
  readonly annotations?: Readonly<Record<string, string | number | boolean>>;
}

export interface WorkflowSpec {
  /** JSON Schema (draft 2020-12) that a run's input must satisfy. */
  readonly input?: object;
  /** For all units. */
  readonly policy?: Policy;
  /** Accepted for information; it must name a unit. */
  readonly entry?: string;
  /** Ids of the units that run, one after the other, when a run is cancelled. */
  readonly onCancel?: readonly string[];
  /** At which ends of a run what its units have done is undone. Default both. */
  readonly compensateOn?: readonly ('failure' | 'cancel')[];
  /** What a run that completed gives: a map whose texts may hold `${{ … }}`, or one such text. */
  readonly output?: object | string;
  /** Evaluated once, before a run exists; expressions read them as `vars.name`. */
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly units: readonly WorkflowUnit[];
  readonly flow: Flow;
}

export interface WorkflowUnit {
  readonly id: string;
  /** What does the work: registered in process, bound to an endpoint, or a `builtin.`. */
  readonly uses: string;
  readonly config?: object;
  /** Strings may hold `${{ CEL }}`; the whole may be one such string. Default: the run's input. */
  readonly with?: object | string;
  /** CEL. */
  readonly if?: string;
  readonly pause?: 'before' | 'after';
  /** What undoes a call of the unit: the id of a unit, or more of it. */
  readonly compensate?: string | Compensation;
  readonly policyOverrides?: Policy;
  readonly contextPolicy?: ContextPolicy;
}

export interface Compensation {
  /** Its id; it stands in no flow. */
  readonly unit: string;
  /** Its input, in which `input`, `run` and `done` are in scope. Default: `{ input, output }` of the call. */
  readonly with?: object | string;
  /** Whether calls are undone of which it is unknown what they did. Default false. */
  readonly onUnknown?: boolean;
}

/** Open: what the engine does not read is for the unit. */
export interface ContextPolicy {
  readonly state?: 'all' | 'none' | readonly string[];
  readonly memory?: { readonly record?: boolean; readonly [other: string]: unknown };
  readonly [other: string]: unknown;
}

export interface Policy {
  readonly retry?: RetryPolicy;
  readonly timeout?: TimeoutPolicy;
  readonly budget?: BudgetPolicy;
  readonly concurrency?: { readonly maxParallelUnits?: number };
  readonly circuitBreaker?: { readonly failureThreshold?: number; readonly resetMs?: number };
  readonly rateLimit?: { readonly maxRequestsPerMinute?: number };
}

export interface RetryPolicy {
  /** The first one included. Default 3. */
  readonly maxAttempts?: number;
  readonly backoff?: 'fixed' | 'exponential';
  readonly baseMs?: number;
  readonly maxMs?: number;
  readonly jitter?: boolean;
}

export interface TimeoutPolicy {
  readonly unitMs?: number;
  readonly workflowMs?: number;
}

export interface BudgetPolicy {
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly onExceed?: 'fail' | 'pause';
}

/** A unit's id, or an object. Wherever a unit's id may be, a flow may be. */
export type Flow =
  | string
  | SequentialFlow
  | ParallelFlow
  | RouterFlow
  | SwitchFlow
  | LoopFlow
  | ForeachFlow
  | DagFlow
  | DelegationFlow
  | TryFlow
  | RaceFlow;

export interface SequentialFlow {
  readonly type: 'sequential';
  /** Default: all units as listed. */
  readonly order?: readonly Flow[];
}

export interface ParallelFlow {
  readonly type: 'parallel';
  readonly units: readonly Flow[];
  readonly reducer?: Flow;
  readonly failureStrategy?: 'fail-fast' | 'collect-errors' | 'best-effort';
  readonly maxConcurrency?: number;
}

export interface RouterFlow {
  readonly type: 'router';
  readonly routerUnit: Flow;
  readonly routes: Readonly<Record<string, Flow>>;
  readonly default?: Flow;
}

export interface SwitchFlow {
  readonly type: 'switch';
  readonly cases: readonly SwitchCase[];
  readonly default?: Flow;
}

export interface SwitchCase {
  /** CEL. */
  readonly if: string;
  readonly do: Flow;
}

/** One of `unit` and `do`; at most one of `untilStateKey` and `until`. */
export interface LoopFlow {
  readonly type: 'loop';
  readonly unit?: Flow;
  readonly do?: Flow;
  readonly maxIterations?: number;
  readonly untilStateKey?: string;
  /** CEL. */
  readonly until?: string;
}

export interface ForeachFlow {
  readonly type: 'foreach';
  /** CEL that gives a list. */
  readonly items: string;
  readonly as?: string;
  readonly do: Flow;
  readonly maxConcurrency?: number;
  readonly collect?: string;
  readonly failureStrategy?: 'fail-fast' | 'collect-errors' | 'best-effort';
  /** The state key that gets what failed, by item. */
  readonly failures?: string;
  /** A count, or a share such as `10%`. */
  readonly maxFailures?: number | string;
  /** CEL that gives a text of up to 256 characters. */
  readonly itemKey?: string;
}

export interface DagFlow {
  readonly type: 'dag';
  readonly executors: readonly Flow[];
  readonly dependencies?: Readonly<Record<string, readonly string[]>>;
  readonly planner?: Flow;
  readonly aggregator?: Flow;
  readonly maxConcurrency?: number;
}

export interface DelegationFlow {
  readonly type: 'delegation';
  readonly orchestrator: Flow;
  readonly specialists: readonly Flow[];
  readonly maxRounds?: number;
}

export interface RaceFlow {
  readonly type: 'race';
  readonly units: readonly Flow[];
  /** The state key that gets `{ index, unitId }` of the branch that came first. */
  readonly winner?: string;
  /** Undoes what the branches that did not come first have done. */
  readonly compensate?: true;
}

/** At least one of the others stands beside `do`; `catch` and `ignore` exclude one another. */
export interface TryFlow {
  readonly type: 'try';
  readonly do: Flow;
  /** An ISO 8601 duration, or `${{ … }}` that gives one. */
  readonly timeout?: string;
  /** Undoes what `do` has done, where it fails. */
  readonly compensate?: true;
  readonly catch?: Flow;
  readonly ignore?: true;
  readonly rethrow?: boolean;
  readonly finally?: Flow;
}

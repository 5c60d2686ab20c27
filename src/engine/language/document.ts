import type { JsonObject, JsonValue } from '../core/json.js';

/**
 * A workflow document that satisfies `schemas/workflow.v1.schema.json`, as its author wrote it: defaults are
 * not filled in, names are not resolved, expressions are text. Objects have no prototype.
 */
export interface WorkflowDocument {
  /** `<group>/v1`; the group is one that this service accepts. */
  readonly apiVersion: string;
  readonly kind: 'Workflow';
  readonly metadata: MetadataDocument;
  readonly spec: SpecDocument;
}

export interface MetadataDocument {
  /** The workflow id. */
  readonly id: string;
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Annotations;
}

/** What programs around the engine should know of a workflow; the engine does not read it. */
export type Annotations = Readonly<Record<string, string | number | boolean>>;

export interface SpecDocument {
  /** JSON Schema that a run's input must satisfy. */
  readonly input?: JsonObject;
  /** Values that are evaluated once, before a run exists; their texts may hold `${{ … }}` over `input`, `run` and those above. */
  readonly vars?: Readonly<Record<string, JsonValue>>;
  readonly policy?: PolicyDocument;
  /** The unit that the workflow begins with; only checked to exist. */
  readonly entry?: string;
  readonly units: readonly UnitDocument[];
  readonly flow: FlowDocument;
  /** Ids of units that run, in this order, when a run is cancelled. */
  readonly onCancel?: readonly string[];
  /** What a run gives: a map whose texts may hold `${{ … }}`, or one such text. */
  readonly output?: JsonValue;
  /** When a run that ends undoes what it has done. Default: both. */
  readonly compensateOn?: readonly ('failure' | 'cancel')[];
}

export interface UnitDocument {
  readonly id: string;
  readonly uses: string;
  readonly config?: JsonObject;
  /** The execution's input; strings may hold `${{ … }}`, and the whole may be one such string. */
  readonly with?: JsonObject | string;
  /** CEL; false skips the unit. */
  readonly if?: string;
  readonly pause?: 'before' | 'after';
  readonly policyOverrides?: PolicyDocument;
  readonly contextPolicy?: ContextPolicyDocument;
  /** What undoes it: a unit that stands in no flow. */
  readonly compensate?: string | CompensationDocument;
}

export interface CompensationDocument {
  readonly unit: string;
  /** Its input, of `input`, `run` and `done`. Default: `{ input, output }` of what is undone. */
  readonly with?: JsonObject | string;
  readonly onUnknown?: boolean;
}

/** Open: the unit is handed all of it, the engine reads the two keys below. */
export type ContextPolicyDocument = JsonObject & {
  readonly state?: 'all' | 'none' | readonly string[];
  readonly memory?: JsonObject & { readonly record?: boolean };
};

/** `spec.policy`, and a unit's `policyOverrides`, which win field by field. */
export interface PolicyDocument {
  readonly retry?: {
    /** 0 means 1. */
    readonly maxAttempts?: number;
    readonly backoff?: 'fixed' | 'exponential';
    readonly baseMs?: number;
    readonly maxMs?: number;
    readonly jitter?: boolean;
  };
  readonly timeout?: { readonly unitMs?: number; readonly workflowMs?: number };
  readonly budget?: {
    readonly maxTokens?: number;
    /** In the currency that the units report. */
    readonly maxCost?: number;
    readonly onExceed?: 'fail' | 'pause';
  };
  readonly concurrency?: { readonly maxParallelUnits?: number };
  readonly circuitBreaker?: { readonly failureThreshold?: number; readonly resetMs?: number };
  readonly rateLimit?: { readonly maxRequestsPerMinute?: number };
}

/** A unit's id, or an object with a `type`; wherever a unit's id may stand, a flow may stand. */
export type FlowDocument = string | FlowObjectDocument;

export type FlowObjectDocument =
  | SequentialDocument
  | ParallelDocument
  | RouterDocument
  | SwitchDocument
  | LoopDocument
  | ForeachDocument
  | DagDocument
  | DelegationDocument
  | TryDocument
  | RaceDocument;

export interface SequentialDocument {
  readonly type: 'sequential';
  /** Default: all units as listed. */
  readonly order?: readonly FlowDocument[];
}

export interface ParallelDocument {
  readonly type: 'parallel';
  readonly units: readonly FlowDocument[];
  readonly reducer?: FlowDocument;
  readonly failureStrategy?: 'fail-fast' | 'collect-errors' | 'best-effort';
  readonly maxConcurrency?: number;
}

export interface RouterDocument {
  readonly type: 'router';
  readonly routerUnit: FlowDocument;
  readonly routes: Readonly<Record<string, FlowDocument>>;
  readonly default?: FlowDocument;
}

export interface SwitchDocument {
  readonly type: 'switch';
  readonly cases: readonly SwitchCaseDocument[];
  readonly default?: FlowDocument;
}

export interface SwitchCaseDocument {
  /** CEL. */
  readonly if: string;
  readonly do: FlowDocument;
}

/** Exactly one of `unit` and `do` is there, and at most one of `untilStateKey` and `until`. */
export interface LoopDocument {
  readonly type: 'loop';
  readonly unit?: FlowDocument;
  readonly do?: FlowDocument;
  readonly maxIterations?: number;
  readonly untilStateKey?: string;
  /** CEL. */
  readonly until?: string;
}

export interface ForeachDocument {
  readonly type: 'foreach';
  /** CEL that gives a list. */
  readonly items: string;
  readonly as?: string;
  readonly do: FlowDocument;
  readonly maxConcurrency?: number;
  /** The state key that gets the outputs. */
  readonly collect?: string;
  readonly failureStrategy?: 'fail-fast' | 'collect-errors' | 'best-effort';
  /** The state key that gets what failed. */
  readonly failures?: string;
  /** A count, or a share such as `10%`. */
  readonly maxFailures?: number | string;
  /** CEL that gives a text. */
  readonly itemKey?: string;
}

export interface DagDocument {
  readonly type: 'dag';
  readonly executors: readonly FlowDocument[];
  /** Executor → the executors that it waits for. */
  readonly dependencies?: Readonly<Record<string, readonly string[]>>;
  readonly planner?: FlowDocument;
  readonly aggregator?: FlowDocument;
  readonly maxConcurrency?: number;
}

export interface DelegationDocument {
  readonly type: 'delegation';
  readonly orchestrator: FlowDocument;
  readonly specialists: readonly FlowDocument[];
  readonly maxRounds?: number;
}

/** At least one of the others stands beside `do`; `catch` and `ignore` exclude one another. */
export interface TryDocument {
  readonly type: 'try';
  readonly do: FlowDocument;
  /** An ISO 8601 duration, or `${{ … }}` that gives one. */
  readonly timeout?: string;
  readonly catch?: FlowDocument;
  readonly compensate?: true;
  readonly ignore?: true;
  readonly rethrow?: boolean;
  readonly finally?: FlowDocument;
}

export interface RaceDocument {
  readonly type: 'race';
  readonly units: readonly FlowDocument[];
  /** The state key that gets `{ index, unitId }` of the branch that came first. */
  readonly winner?: string;
  /** What the other branches have completed is undone. */
  readonly compensate?: true;
}

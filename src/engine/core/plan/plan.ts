import type { NodePath } from '../log/event-base.js';
import type { Expression } from './expression.js';
import type { JsonObject } from '../json.js';

/** A workflow document compiled once, at registration: the flow tree, the units, the expressions. */
export interface Plan {
  readonly workflowId: string;
  /** SHA-256 over the canonical document, how each `uses` resolved, and the language revision. */
  readonly hash: string;
  readonly root: FlowNode;
  readonly nodes: ReadonlyMap<NodePath, FlowNode>;
  readonly units: ReadonlyMap<string, PlanUnit>;
  /** How many executions of one run are in flight at once. */
  readonly maxParallelUnits: number;
  /** `policy.timeout.workflowMs`; null: no bound. */
  readonly workflowMs: number | null;
  /** `spec.onCancel`: what runs before a run is cancelled, sequentially, each unit whatever became of the others. */
  readonly onCancel: ParallelNode | null;
  /** `spec.vars`, each with those before it in scope; evaluated once, before a run exists. */
  readonly vars: readonly PlanVar[];
  /** `spec.output`: what a run that completed gives; null: its state, as it is. */
  readonly output: Expression | null;
  /** When a run that ends undoes what it has done. */
  readonly compensateOn: { readonly failure: boolean; readonly cancel: boolean };
}

export interface PlanVar {
  readonly name: string;
  readonly value: Expression;
}

/** What a unit is to the interpreter: code to call, or one of the built-ins that are control flow. */
export type UnitKind = 'execute' | 'approval' | 'wait' | 'workflow' | 'set' | 'fail';

export interface PlanUnit {
  readonly id: string;
  readonly uses: string;
  readonly kind: UnitKind;
  /** The `with` template; null: the run's input. */
  readonly input: Expression | null;
  /** The unit's `config` as written; it is handed to the unit. */
  readonly config: JsonObject;
  /**
   * A built-in's settings as a template: `config`, for control flow with `with` laid over it. Null for other
   * units, and for built-ins that are called and whose `config` holds no expression.
   */
  readonly settings: Expression | null;
  readonly condition: Expression | null;
  readonly pause: 'before' | 'after' | null;
  readonly retry: RetryPolicy;
  /** For each attempt, in ms. */
  readonly timeoutMs: number;
  /** What the run may have spent before the unit is called; null: no bound. Only units that are called have one. */
  readonly budget: BudgetPolicy | null;
  /** The circuit breaker of the endpoint that is called for the unit; null: none. */
  readonly circuitBreaker: CircuitBreakerPolicy | null;
  /** How often that endpoint may be called; null: without a bound. */
  readonly rateLimit: RateLimitPolicy | null;
  readonly contextPolicy: JsonObject;
  /** Which keys of the state are sent. */
  readonly stateKeys: 'all' | readonly string[];
  /** Whether its outputs go into the memory. */
  readonly remembered: boolean;
  /** What undoes what it has done; null: nothing does. */
  readonly compensate: Compensation | null;
}

/** A unit that is called to undo what another one has done. It stands in no flow. */
export interface Compensation {
  readonly unitId: string;
  /** Its location, for what is kept of its call. */
  readonly path: NodePath;
  /** Its input, of what the other one was given and gave (`done`); null: both of them. */
  readonly input: Expression | null;
  /** Whether it is called also where it is unknown what the other one has done. */
  readonly onUnknown: boolean;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly backoff: 'fixed' | 'exponential';
  readonly baseMs: number;
  readonly maxMs: number;
  readonly jitter: boolean;
}

/** Null where there is no bound; at least one is there. */
export interface BudgetPolicy {
  readonly maxTokens: number | null;
  /** In the currency that the units report. */
  readonly maxCost: number | null;
  readonly onExceed: 'fail' | 'pause';
}

export interface CircuitBreakerPolicy {
  /** How many failures in a row open the circuit. */
  readonly failureThreshold: number;
  /** How long the circuit stays open then, in ms. */
  readonly resetMs: number;
}

export interface RateLimitPolicy {
  readonly maxRequestsPerMinute: number;
}

interface NodeBase {
  /** JSON pointer into the document. */
  readonly path: NodePath;
  readonly parent: FlowNode | null;
  /** Which child of its parent it is; for a branch, the index of its scope. */
  readonly slot: number;
  /** The node is a branch of a fan-out: it runs in a scope of its own. */
  readonly isBranch: boolean;
}

export interface UnitNode extends NodeBase {
  readonly type: 'unit';
  readonly unitId: string;
}

export interface SequentialNode extends NodeBase {
  readonly type: 'sequential';
  readonly order: readonly FlowNode[];
}

export interface ParallelNode extends NodeBase {
  readonly type: 'parallel';
  readonly branches: readonly FlowNode[];
  readonly reducer: FlowNode | null;
  readonly failureStrategy: 'fail-fast' | 'collect-errors' | 'best-effort';
  readonly maxConcurrency: number;
}

export interface RouterNode extends NodeBase {
  readonly type: 'router';
  readonly router: FlowNode;
  readonly routes: ReadonlyMap<string, FlowNode>;
  readonly fallback: FlowNode | null;
}

export interface SwitchNode extends NodeBase {
  readonly type: 'switch';
  readonly cases: readonly { readonly condition: Expression; readonly flow: FlowNode }[];
  readonly fallback: FlowNode | null;
}

export interface LoopNode extends NodeBase {
  readonly type: 'loop';
  readonly body: FlowNode;
  readonly maxIterations: number;
  readonly untilStateKey: string | null;
  readonly until: Expression | null;
}

export interface ForeachNode extends NodeBase {
  readonly type: 'foreach';
  readonly items: Expression;
  /** The name under which expressions see the item. */
  readonly itemName: string;
  readonly body: FlowNode;
  readonly maxConcurrency: number;
  readonly collect: string | null;
  readonly failureStrategy: ParallelNode['failureStrategy'];
  /** The state key that gets what failed, by item; null: none. */
  readonly failures: string | null;
  /** Beyond so many failed passes all of it fails at once; null: without a bound. */
  readonly maxFailures: MaxFailures | null;
  /** What an item is called where one of its pass is told; null: nothing but its index. */
  readonly itemKey: Expression | null;
}

export type MaxFailures = { readonly count: number } | { readonly percent: number };

export interface DagNode extends NodeBase {
  readonly type: 'dag';
  readonly planner: FlowNode | null;
  readonly executors: readonly FlowNode[];
  /** By executor: the indices of those that it waits for. */
  readonly dependencies: readonly (readonly number[])[];
  readonly aggregator: FlowNode | null;
  readonly maxConcurrency: number;
}

export interface DelegationNode extends NodeBase {
  readonly type: 'delegation';
  readonly orchestrator: FlowNode;
  /** By unit id. */
  readonly specialists: ReadonlyMap<string, FlowNode>;
  readonly maxRounds: number;
}

/** Runs the body; a failure inside is caught, and the finalizer runs whatever became of it. It opens no scope. */
export interface TryNode extends NodeBase {
  readonly type: 'try';
  readonly body: FlowNode;
  /** An ISO 8601 duration from when it is entered, or an expression that gives one; null: no bound. */
  readonly timeout: Expression | null;
  /** What follows a failure of the body; null: nothing, and the failure passes on unless it is ignored. */
  readonly handler: FlowNode | null;
  /** A failure of the body is as good as its end. */
  readonly ignores: boolean;
  /** What the body has completed is undone before the handler runs. */
  readonly compensates: boolean;
  /** The failure passes on once the handler has run. */
  readonly rethrows: boolean;
  readonly finalizer: FlowNode | null;
}

/** All branches at once; the first that comes to its end decides, and the others are closed. */
export interface RaceNode extends NodeBase {
  readonly type: 'race';
  readonly branches: readonly FlowNode[];
  /** The state key that gets what won; null: none. */
  readonly winner: string | null;
  /** What the others have completed is undone before the race is left. */
  readonly compensates: boolean;
}

export type FlowNode =
  | UnitNode
  | SequentialNode
  | ParallelNode
  | RouterNode
  | SwitchNode
  | LoopNode
  | ForeachNode
  | DagNode
  | DelegationNode
  | TryNode
  | RaceNode;

/** The node at a path. A path that the pinned plan does not have means a corrupt log or the wrong plan. */
export function nodeAt(plan: Plan, path: NodePath): FlowNode {
  const node = plan.nodes.get(path);
  if (node === undefined)
    throw new Error(`The plan ${plan.hash} has no node at ${path}: the log belongs to another plan.`);
  return node;
}

/** The unit that a node runs. */
export function unitAt(plan: Plan, node: UnitNode): PlanUnit {
  const unit = plan.units.get(node.unitId);
  if (unit === undefined) throw new Error(`The plan ${plan.hash} has no unit ${node.unitId}.`);
  return unit;
}

/** The unit of the node at a path. */
export function unitOf(plan: Plan, path: NodePath): PlanUnit {
  const node = nodeAt(plan, path);
  if (node.type !== 'unit') throw new Error(`The ${node.type} at ${path} is no unit: the log is corrupt.`);
  return unitAt(plan, node);
}

/** Ids of the units of a flow, itself included, in the order in which they are declared. */
export function unitsInside(plan: Plan, flow: FlowNode): readonly string[] {
  let known = UNITS_INSIDE.get(plan.nodes);
  if (known === undefined) UNITS_INSIDE.set(plan.nodes, (known = unitsByFlow(plan)));
  return known.get(flow.path) ?? [];
}

const UNITS_INSIDE = new WeakMap<Plan['nodes'], ReadonlyMap<NodePath, readonly string[]>>();

/** Computed once for a plan: a search for each of its flows would cost the square of its size. */
function unitsByFlow(plan: Plan): ReadonlyMap<NodePath, readonly string[]> {
  const units = new Map<NodePath, string[]>();
  for (const node of plan.nodes.values()) {
    if (node.type !== 'unit') continue;
    for (let around: FlowNode | null = node; around !== null; around = around.parent) {
      const inside = units.get(around.path);
      if (inside === undefined) units.set(around.path, [node.unitId]);
      else inside.push(node.unitId);
    }
  }
  return units;
}

/** Whether the node is part of a `finally`, or undoes what was done: it runs whatever becomes of the run. */
export function runsWhateverEnds({ nodes }: Pick<Plan, 'nodes'>, path: NodePath): boolean {
  if (path.startsWith(UNITS)) return true;
  for (let node = nodes.get(path) ?? null; node !== null; node = node.parent)
    if (node.parent?.type === 'try' && node.parent.finalizer === node) return true;
  return false;
}

/** What stands below it is in no flow. */
const UNITS = '/spec/units/';

/** Whether any failure is caught in the workflow: only then the log says more of it than its text. */
export function catchesFailures({ nodes }: Plan): boolean {
  let known = CATCHES.get(nodes);
  if (known === undefined) {
    known = false;
    for (const { type } of nodes.values()) known ||= type === 'try';
    CATCHES.set(nodes, known);
  }
  return known;
}

const CATCHES = new WeakMap<Plan['nodes'], boolean>();

import type { JsonObject } from '../../../../clients/typescript/src/types/json.js';

export type FlowType =
  | 'unit'
  | 'sequential'
  | 'parallel'
  | 'router'
  | 'switch'
  | 'loop'
  | 'foreach'
  | 'dag'
  | 'delegation'
  | 'try'
  | 'race';

/** What a part is to the flow around it. */
export type FlowRole =
  | 'step'
  | 'branch'
  | 'reducer'
  | 'router'
  | 'route'
  | 'case'
  | 'default'
  | 'body'
  | 'planner'
  | 'executor'
  | 'aggregator'
  | 'orchestrator'
  | 'specialist'
  | 'do'
  | 'catch'
  | 'finally';

/** A flow, or a unit at one of the locations where the document names it. */
export interface FlowNode {
  /** As the log names it: a JSON pointer whose `>`, `#` and `%` are percent-encoded. */
  readonly path: string;
  readonly type: FlowType;
  /** Null: it is a flow. */
  readonly unitId: string | null;
  /** In the order of the document. */
  readonly parts: readonly FlowPart[];
  /** What to know of it at a glance: how often a loop turns, over what a foreach goes. Null: nothing. */
  readonly note: string | null;
  /** Of a dag, by executor: the indices of those that it waits for. */
  readonly dependencies?: readonly (readonly number[])[];
  /** Of branches and passes: what becomes of the others once one has failed. Absent: they are stopped. */
  readonly afterFailure?: 'they end first' | 'it goes on';
  /** Of a try: how its failures go on. */
  readonly failure?: { readonly ignores: boolean; readonly compensates: boolean; readonly rethrows: boolean };
}

export interface FlowPart {
  readonly role: FlowRole;
  /** The key of a route, the condition of a case. Null: the role says all. */
  readonly label: string | null;
  /** What the log says was chosen, where this part was: a route's key, a case's index, `default`. */
  readonly choice: string | null;
  /** It runs in a scope of its own. */
  readonly isBranch: boolean;
  readonly node: FlowNode;
}

/** What the document says of a unit. */
export interface FlowUnit {
  readonly id: string;
  readonly uses: string;
  /** CEL; null: it always runs. */
  readonly condition: string | null;
  readonly config: JsonObject;
  /** The unit that undoes it; null: none does. */
  readonly compensatedBy: string | null;
}

export interface FlowTree {
  readonly workflowId: string;
  readonly root: FlowNode;
  /** By path, `onCancel` and what compensates among them. */
  readonly nodes: ReadonlyMap<string, FlowNode>;
  /** By path. */
  readonly parents: ReadonlyMap<string, FlowNode>;
  readonly units: ReadonlyMap<string, FlowUnit>;
  /** The units that run when a run is cancelled. */
  readonly onCancel: readonly FlowNode[];
}

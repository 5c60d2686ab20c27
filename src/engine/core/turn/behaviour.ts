import { errorText } from './failing/error-text.js';
import { OF_A_FLOW } from './failing/failures.js';
import type { JsonObject } from '../json.js';
import type { NodePath, ScopeId } from '../log/event-base.js';
import type { Failure } from '../log/failure.js';
import type { ExpressionScope } from '../plan/expression.js';
import type { FlowNode, PlanUnit, UnitNode } from '../plan/plan.js';
import type { Cursor, FailureFacts, Retry } from '../state/scope.js';
import type { RunState } from '../state/state.js';
import type { Turn } from './turn.js';

/**
 * What a thread does next. Flow types and node kinds return a step; they never call one another. `read`: events were
 * emitted, and the scope's cursor says how the thread continues.
 */
export type Step =
  | { readonly do: 'enter'; readonly node: FlowNode }
  | { readonly do: 'leave'; readonly node: FlowNode; readonly metadata: JsonObject | null }
  | { readonly do: 'read' }
  | { readonly do: 'wait' }
  /** `at`: the node that failed; null: the one at which the thread stands. */
  | {
      readonly do: 'fail';
      readonly error: string;
      readonly at: NodePath | null;
      /** What a `catch` reads of it. */
      readonly facts: FailureFacts;
    }
  /** Of a flow whose child failed: the flow fails with it. */
  | { readonly do: 'pass'; readonly failure: Failure };

export const READ: Step = { do: 'read' };
export const WAIT: Step = { do: 'wait' };

export function enter(node: FlowNode): Step {
  return { do: 'enter', node };
}

export function leave(node: FlowNode): Step {
  return { do: 'leave', node, metadata: null };
}

export function fail(error: string, at: NodePath | null = null, facts: FailureFacts = OF_A_FLOW): Step {
  return { do: 'fail', error: errorText(error), at, facts };
}

export function passOn(failure: Failure): Step {
  return { do: 'pass', failure };
}

/** A thread that stands at one node: the context of every behaviour. */
export interface Thread {
  readonly turn: Turn;
  readonly scope: ScopeId;
  /** Moves the thread of a child scope as far as it goes; opens the scope with its first event. */
  advance(child: ScopeId): void;
  /** What an expression at the node sees. */
  variablesAt(node: FlowNode): ExpressionScope;
}

/** What a flow puts in scope of the expressions inside of it. */
export type FlowVariables = Pick<ExpressionScope, 'iteration' | 'item' | 'index' | 'error'>;

/** One flow type: how its children follow one another. */
export interface FlowBehaviour<N extends FlowNode> {
  enter(thread: Thread, node: N): Step;
  /** A child that runs in the flow's own scope ended. */
  childLeft(thread: Thread, node: N, child: FlowNode, metadata: JsonObject | null): Step;
  /** The thread stands at the flow itself, at a cursor that the flow's own events left. */
  proceed(thread: Thread, node: N, cursor: Cursor): Step;
  /**
   * A branch failed at that node. Returns the next step of the fan-out's own thread; without this, the fan-out fails like
   * its branch.
   */
  branchFailed?(thread: Thread, node: N, branch: ScopeId, failure: Failure): Step;
  /** Whether a branch may fail without the fan-out; absent: it may not. */
  outlivesBranches?(thread: Thread, node: N): boolean;
  /**
   * A child that runs in the flow's own scope failed. Returns the thread's next step, or `passOn`; without this, the flow
   * fails like its child.
   */
  childFailed?(thread: Thread, node: N, failure: Failure): Step;
  /** The fan-out's branch of that index, where a scope of its own begins. */
  branch?(node: N, index: number): FlowNode | undefined;
  /** What expressions inside the flow see of it. `index` is the branch's, in a fan-out. */
  variables?(state: RunState, node: N, scope: ScopeId, index: number, child: FlowNode): FlowVariables;
  /** What the flow lays over the input of a child that it starts. */
  childInput?(thread: Thread, node: N, child: FlowNode): JsonObject | null;
}

/** One kind of unit: what happens when a thread reaches it. */
export interface NodeBehaviour {
  execute(thread: Thread, node: UnitNode, unit: PlanUnit, given: Given): Step;
}

/** What an execution does not evaluate itself. */
export interface Given {
  /** The input from the flow around the unit; laid over the unit's own. */
  readonly input: JsonObject | null;
  /** Set when an execution of unknown outcome is tried again: same key, same input. */
  readonly retry: Retry | null;
}

/** For flows without cursors of their own: nothing leaves a thread at them. */
export function neverProceeds(_thread: Thread, node: FlowNode, cursor: Cursor): Step {
  throw new Error(`A ${node.type} has no ${cursor.phase} cursor: the log at ${node.path} is corrupt.`);
}

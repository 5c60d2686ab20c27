import { evolve } from './evolve.js';
import type { NewEvent, RunEvent, ScopeId } from './event.js';
import { EVENT_VERSION } from './event.js';
import type { ExpressionScope } from './expression.js';
import type { FlowNode, Plan } from './plan.js';
import { nodeAt } from './plan.js';
import type { Cursor } from './scope.js';
import { placeOfScope, ROOT_SCOPE } from './scope.js';
import type { RunState } from './state.js';
import { viewOf } from './state-view.js';

/** One append stays below this many events; what is left goes on with the next signal. */
export const MAX_EVENTS_PER_TURN = 5_000;

/**
 * The work of one signal: the events so far and the state with them folded in. It exists for the length of
 * one `decide`, which makes it the only mutable thing of the core.
 */
export class Turn {
  readonly events: RunEvent[] = [];
  /** Scopes whose thread may have something to do; visited once each, in order. */
  readonly ready = new Set<ScopeId>();

  constructor(
    readonly plan: Plan,
    public state: RunState,
    readonly at: number,
  ) {}

  emit(event: NewEvent): void {
    const { state } = this;
    const stamped = {
      v: EVENT_VERSION,
      seq: state.seq + 1,
      at: Math.max(this.at, state.updatedAt),
      ...event,
    } as RunEvent;
    this.events.push(stamped);
    this.state = evolve(state, stamped);
  }

  /** True when the run is over or the append is long enough: leave the rest to the next signal. */
  get isFull(): boolean {
    return this.state.phase !== 'live' || this.events.length >= MAX_EVENTS_PER_TURN;
  }

  /** Where the scope's thread stands; a branch that has no event yet stands before its first node. */
  cursorOf(scope: ScopeId): Cursor {
    const cursor = this.state.scopes.get(scope)?.cursor;
    if (cursor !== undefined && cursor.path !== '') return cursor;
    return { phase: 'entering', path: this.firstNodeOf(scope).path };
  }

  private firstNodeOf(scope: ScopeId): FlowNode {
    if (scope === ROOT_SCOPE) return this.plan.root;
    const place = placeOfScope(scope);
    const fork = nodeAt(this.plan, place.path);
    switch (fork.type) {
      case 'parallel':
        return nodeAt(this.plan, fork.branches[place.index]?.path ?? '');
      case 'dag':
        return nodeAt(this.plan, fork.executors[place.index]?.path ?? '');
      case 'foreach':
        return fork.body;
      default:
        throw new Error(`The ${fork.type} at ${place.path} has no branches: the log belongs to another plan.`);
    }
  }

  /** What an expression at the node sees. */
  expressionScope(node: FlowNode, scope: ScopeId): ExpressionScope {
    const { state, plan } = this;
    const around = this.loopVariables(node, scope);
    return {
      input: state.input,
      state: viewOf(plan, state, scope),
      run: { runId: state.runId, workflowId: state.workflowId, createdAt: state.createdAt },
      ...around,
    };
  }

  /** `iteration`, `item` and `index` of the nearest loop and foreach around the node. */
  private loopVariables(node: FlowNode, scope: ScopeId): Pick<ExpressionScope, 'iteration' | 'item' | 'index'> {
    const variables: { iteration?: number; item?: ExpressionScope['item']; index?: number } = {};
    let id = scope;
    for (let child = node; child.parent !== null; child = child.parent) {
      const { parent } = child;
      if (parent.type === 'loop' && variables.iteration === undefined) {
        variables.iteration = this.state.scopes.get(id)?.passes.get(parent.path) ?? 0;
      }
      if (!child.isBranch) continue;
      const place = placeOfScope(id);
      if (parent.type === 'foreach' && variables.index === undefined) {
        variables.index = place.index;
        variables.item = this.state.forks.get(place.fork)?.items?.[place.index] ?? null;
      }
      id = place.parent;
    }
    return variables;
  }
}

import type { FlowNode, PlanUnit, UnitNode } from '../../core/plan/plan.js';
import { CountedWork } from './counted-work.js';
import { mayComeBefore, mustComeBefore, surelyLeaves } from './flow-order.js';

/**
 * Where in a flow an expression is evaluated: when the thread reaches the node, or when it has left what is inside of it, as
 * the body of a loop or all of the flow.
 */
export type Standpoint =
  { readonly when: 'entering'; readonly node: FlowNode } | { readonly when: 'left'; readonly node: FlowNode };

/** Whether the output of a unit is there; `unknown` where there is too much to look at. */
export type Presence = 'always' | 'sometimes' | 'never' | 'unknown';

/** The kinds of units that write an output. */
const WITH_OUTPUT: ReadonlySet<PlanUnit['kind']> = new Set(['execute', 'approval', 'workflow']);

interface Flows {
  readonly root: FlowNode;
  readonly onCancel: FlowNode | null;
  readonly nodes: Iterable<FlowNode>;
  readonly units: ReadonlyMap<string, Pick<PlanUnit, 'kind' | 'condition'>>;
}

/**
 * Which units can have run, and which must have, wherever an expression stands. Only the tree of the flow counts, never
 * what conditions say: each may be true or false, and each list be empty.
 */
export class UnitOrder {
  private readonly locations = new Map<string, UnitNode[]>();
  /** By unit, the children of each enclosing flow that contain it. */
  private readonly holders = new Map<string, ReadonlyMap<FlowNode, ReadonlySet<FlowNode>>>();

  constructor(
    private readonly flows: Flows,
    private readonly work = new CountedWork(),
  ) {
    for (const node of flows.nodes) {
      if (node.type !== 'unit') continue;
      const locations = this.locations.get(node.unitId);
      if (locations === undefined) this.locations.set(node.unitId, [node]);
      else locations.push(node);
    }
  }

  locationsOf(unitId: string): readonly UnitNode[] {
    return this.locations.get(unitId) ?? [];
  }

  presenceAt(unitId: string, at: Standpoint): Presence {
    if (this.work.isWornOut) return 'unknown';
    const holders = this.holdersOf(unitId);
    const { node } = at;
    let may = at.when === 'left' && (holders.has(node) || (node.type === 'unit' && node.unitId === unitId));
    if (at.when === 'left' && this.writes(node, unitId)) return 'always';
    let later = node;
    for (let flow = later.parent; flow !== null; later = flow, flow = flow.parent) {
      this.work.add(1);
      for (const earlier of holders.get(flow) ?? []) {
        this.work.add(1 + (flow.type === 'dag' ? edgesOf(flow) : 0));
        if (!may && mayComeBefore(flow, earlier, later)) may = true;
        if (mustComeBefore(flow, earlier, later) && this.writes(earlier, unitId)) return 'always';
        if (this.work.isWornOut) return 'unknown';
      }
    }
    return may || this.isBeforeCleanUp(unitId, later) ? 'sometimes' : 'never';
  }

  /** The nearest flow that contains both, and so keeps them apart; null: the unit is in no flow, or in another tree. */
  apart(unitId: string, at: Standpoint): FlowNode | null {
    const holders = this.holdersOf(unitId);
    for (let flow = at.node.parent; flow !== null && !this.work.isWornOut; flow = flow.parent) {
      this.work.add(1);
      if (holders.has(flow)) return flow;
    }
    return null;
  }

  /** Whether the unit may have run before the clean-up: a run can be cancelled at any point. */
  private isBeforeCleanUp(unitId: string, top: FlowNode): boolean {
    if (top !== this.flows.onCancel) return false;
    const { root } = this.flows;
    return this.holdersOf(unitId).has(root) || (root.type === 'unit' && root.unitId === unitId);
  }

  /** Whether the output is there once the node has been left, whatever happened in it. */
  private writes(node: FlowNode, unitId: string): boolean {
    this.work.add(1);
    if (this.work.isWornOut) return false;
    if (node.type === 'unit') {
      const unit = this.flows.units.get(unitId);
      return node.unitId === unitId && unit?.condition === null && WITH_OUTPUT.has(unit.kind);
    }
    const inside = this.holdersOf(unitId).get(node);
    if (inside === undefined) return false;
    this.work.add(inside.size);
    return surelyLeaves(node, inside, (child) => this.writes(child, unitId));
  }

  private holdersOf(unitId: string): ReadonlyMap<FlowNode, ReadonlySet<FlowNode>> {
    const known = this.holders.get(unitId);
    if (known !== undefined) return known;
    const holders = new Map<FlowNode, Set<FlowNode>>();
    for (const location of this.locationsOf(unitId)) {
      let child: FlowNode = location;
      for (let flow = location.parent; flow !== null; child = flow, flow = flow.parent) {
        this.work.add(1);
        const children = holders.get(flow);
        if (children === undefined) holders.set(flow, new Set([child]));
        else if (children.has(child)) break;
        else children.add(child);
      }
    }
    this.holders.set(unitId, holders);
    return holders;
  }
}

/** What it may cost to find out whether one executor waits for another. */
function edgesOf({ dependencies }: FlowNode & { readonly type: 'dag' }): number {
  let edges = 0;
  for (const waitsFor of dependencies) edges += 1 + waitsFor.length;
  return edges;
}

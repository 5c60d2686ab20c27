import type { FlowNode, UnitNode } from '../../core/plan/plan.js';
import type { CountedWork } from './counted-work.js';

/**
 * The fan-out that outlives the failure of a branch, and in which the unit can have run to its end in a branch that fails
 * afterwards: what the branch wrote is dropped then, and the unit's output looks as if it had not run.
 */
export function droppingFlow(locations: readonly UnitNode[], work: CountedWork): FlowNode | 'none' {
  for (const location of locations) {
    /** Whether something may fail after the unit, within what was looked at so far. */
    let mayFailLater = false;
    for (let child: FlowNode = location; child.parent !== null; child = child.parent) {
      work.add(1);
      if (work.isWornOut) return 'none';
      const flow = child.parent;
      if (mayFailLater && child.isBranch && outlivesBranches(flow)) return flow;
      mayFailLater = failsAfter(flow, child, mayFailLater);
    }
  }
  return 'none';
}

function outlivesBranches(flow: FlowNode): boolean {
  return (flow.type === 'parallel' || flow.type === 'foreach') && flow.failureStrategy === 'best-effort';
}

/** Whether the flow can fail once the child has come to its end; `inside`: whether it can before that. */
function failsAfter(flow: FlowNode, child: FlowNode, inside: boolean): boolean {
  switch (flow.type) {
    case 'unit':
    case 'switch':
    case 'race':
      return inside;
    case 'sequential':
      return inside || child.slot < flow.order.length - 1;
    case 'parallel':
      return inside || flow.branches.length > 1 || flow.reducer !== null;
    case 'dag':
      return inside || flow.executors.length > 1 || flow.aggregator !== null;
    case 'router':
      return inside || child === flow.router;
    case 'foreach':
    case 'delegation':
      return true;
    case 'loop':
      return inside || flow.maxIterations > 1;
    case 'try':
      if (child !== flow.body) return inside;
      // What fails in the body is caught, and what it wrote is kept.
      return flow.rethrows || (inside && !flow.ignores && flow.handler === null);
  }
}

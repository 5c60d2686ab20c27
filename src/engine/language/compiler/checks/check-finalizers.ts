import type { FlowNode, PlanUnit } from '../../../core/plan/plan.js';
import type { FaultList } from '../../fault-list.js';
import type { FlowCompiler } from '../compile-flow.js';
import { problemOfWaiting } from '../compile-on-cancel.js';

/** Whatever closes a run early waits for each `finally`: nothing in it may wait for people or for days. */
export function checkFinalizers(
  { nodes, finalizers }: FlowCompiler,
  units: ReadonlyMap<string, PlanUnit>,
  faults: FaultList,
): void {
  if (finalizers.length === 0) return;
  const roots = new Set(finalizers);
  const isInside = (node: FlowNode): boolean => {
    for (let at: FlowNode | null = node; at !== null; at = at.parent) if (roots.has(at)) return true;
    return false;
  };
  for (const node of nodes.values()) {
    if (node.type !== 'unit' || !isInside(node)) continue;
    const unit = units.get(node.unitId);
    const problem = unit === undefined ? null : problemOfWaiting(unit, 'in a `finally`');
    if (problem !== null) faults.add(node.path, problem);
  }
}

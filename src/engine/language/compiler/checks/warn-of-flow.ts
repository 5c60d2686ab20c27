import type { FlowNode, PlanUnit, SwitchNode } from '../../../core/plan/plan.js';
import type { FaultList } from '../../fault-list.js';
import { readablePath } from '../../reader/json-pointer.js';
import { coveredBy } from './covered-cases.js';

type Nodes = Iterable<FlowNode>;
type Units = ReadonlyMap<string, Pick<PlanUnit, 'condition' | 'compensate'>>;

/** Warns of flows that are valid and do something other than they look like. */
export function warnOfFlow(nodes: Nodes, units: Units, faults: FaultList): void {
  for (const node of nodes) {
    if (node.type === 'switch') warnOfCases(node, faults);
    else if (node.type === 'race') warnOfSkippedWinners(node.branches, units, faults);
    else if (node.type === 'unit' && (units.get(node.unitId)?.compensate ?? null) !== null)
      warnOfKeptDebt(node, node.unitId, faults);
  }
}

function warnOfCases({ cases, fallback, path }: SwitchNode, faults: FaultList): void {
  const earlier = coveredBy();
  for (const [index, { condition }] of cases.entries()) {
    const cover = earlier.add(condition.source, index);
    if (cover === null) continue;
    const at = `${path}/cases/${index}/if`;
    const why =
      cover === 'never'
        ? 'its condition is always false: take it out'
        : `whatever it is true for is true for case ${cover} before it: put the narrower case first, or take it out`;
    faults.warn('unreachable-case', at, `${readablePath(at)} is never come to: ${why}`);
  }
  if (fallback !== null && earlier.isComplete)
    faults.warn(
      'unreachable-case',
      `${path}/default`,
      `${readablePath(`${path}/default`)} is never come to: a case before it is always true`,
    );
}

/** The first branch that ends decides a race, and one that is skipped ends at once. */
function warnOfSkippedWinners(branches: readonly FlowNode[], units: Units, faults: FaultList): void {
  for (const branch of branches) {
    const first = firstUnitOf(branch);
    if (first === null || units.get(first)?.condition === null) continue;
    faults.warn(
      'skipped-winner',
      branch.path,
      `${readablePath(branch.path)} begins with ${first}, which has an \`if\`: where that is false, the branch goes on without it, and wins the race if nothing else is in it; ` +
        'put the condition in a switch around the race',
    );
  }
}

/** The unit that the flow begins with; null: that depends, or several begin together. */
function firstUnitOf(node: FlowNode): string | null {
  let at: FlowNode | undefined = node;
  while (at !== undefined && at.type !== 'unit') {
    if (at.type === 'sequential') at = at.order[0];
    else if (at.type === 'try' || at.type === 'loop') at = at.body;
    else return null;
  }
  return at?.unitId ?? null;
}

/** A best-effort branch that fails keeps what it has to undo until the run ends, which may complete. */
function warnOfKeptDebt(node: FlowNode, unitId: string, faults: FaultList): void {
  for (let child = node; child.parent !== null; child = child.parent) {
    const flow = child.parent;
    if (flow.type === 'try' && flow.compensates && child === flow.body) return;
    if (!child.isBranch || !('failureStrategy' in flow) || flow.failureStrategy !== 'best-effort') continue;
    faults.warn(
      'kept-debt',
      node.path,
      `${readablePath(node.path)}: where its branch fails, what ${unitId} did is not undone before the run fails, and never if it completes: ` +
        `put a \`try\` with \`compensate: true\` into the branch of the ${flow.type} at ${readablePath(flow.path)}`,
    );
    return;
  }
}

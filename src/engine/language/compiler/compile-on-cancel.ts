import type { ParallelNode, PlanUnit } from '../../core/plan/plan.js';
import type { FlowCompiler } from './compile-flow.js';
import type { SpecDocument } from '../document.js';
import type { FaultList } from '../fault-list.js';

const ON_CANCEL = '/spec/onCancel';

/** A run that is being cancelled must end by itself: nothing in its clean-up may wait for people or for days. */
export function checkOnCancel(
  { onCancel = [], flow }: SpecDocument,
  units: ReadonlyMap<string, PlanUnit>,
  faults: FaultList,
): void {
  onCancel.forEach((unitId, index) => {
    const unit = units.get(unitId);
    if (unit === undefined) return;
    const pointer = `${ON_CANCEL}/${index}`;
    if (unit.kind !== 'execute' && unit.kind !== 'set') {
      faults.add(
        pointer,
        `${unit.uses} cannot be run when a run is cancelled: name units that are called, or builtin.set`,
      );
    } else if (unit.pause !== null) {
      faults.add(
        pointer,
        `the unit ${unitId} pauses the run: one that is run when a run is cancelled may not`,
      );
    }
  });
  const runsAll = typeof flow === 'object' && flow.type === 'sequential' && flow.order === undefined;
  if (onCancel.length > 0 && runsAll) {
    faults.warn(
      'The flow runs all units, those of onCancel with them: give it an order that names the others.',
    );
  }
}

/** The clean-up as a flow of its own. Best effort, sequentially: a unit that fails does not keep the others from running. */
export function compileOnCancel({ onCancel }: SpecDocument, flows: FlowCompiler): ParallelNode | null {
  return onCancel === undefined ? null : flows.compileCleanUp(onCancel, ON_CANCEL);
}

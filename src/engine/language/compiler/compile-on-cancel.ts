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
    const problem = problemOfWaiting(unit, 'when a run is cancelled');
    if (problem !== null) faults.add(`${ON_CANCEL}/${index}`, problem);
  });
  const runsAll = typeof flow === 'object' && flow.type === 'sequential' && flow.order === undefined;
  if (onCancel.length > 0 && runsAll) {
    faults.warn(
      'cleaned-up-twice',
      ON_CANCEL,
      'The flow runs all units, those of onCancel with them: give it an order that names the others.',
    );
  }
}

/** What is wrong with a unit where nothing may wait; null: nothing. `where` follows "cannot be run". */
export function problemOfWaiting(unit: PlanUnit, where: string): string | null {
  if (unit.kind !== 'execute' && unit.kind !== 'set') {
    return `${unit.uses} cannot be run ${where}: name units that are called, or builtin.set`;
  }
  return unit.pause === null ? null : `the unit ${unit.id} pauses the run: one that is run ${where} may not`;
}

/** The clean-up as a flow of its own. Best effort, sequentially: a unit that fails does not keep the others from running. */
export function compileOnCancel({ onCancel }: SpecDocument, flows: FlowCompiler): ParallelNode | null {
  return onCancel === undefined ? null : flows.compileCleanUp(onCancel, ON_CANCEL);
}

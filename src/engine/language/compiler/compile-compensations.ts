import type { Compensation, PlanUnit } from '../../core/plan/plan.js';
import type { SpecDocument, UnitDocument } from '../document.js';
import { IN_COMPENSATION } from '../expression/surroundings.js';
import type { FaultList } from '../fault-list.js';
import { templateAt } from './compile-expression.js';
import type { FlowCompiler } from './compile-flow.js';
import { problemOfWaiting } from './compile-on-cancel.js';

/** By unit id, what undoes it. Each is a location of its own beside the flow. */
export function compileCompensations(
  { units }: SpecDocument,
  unitIds: ReadonlySet<string>,
  flows: FlowCompiler,
  faults: FaultList,
): ReadonlyMap<string, Compensation> {
  const compensations = new Map<string, Compensation>();
  units.forEach((unit, index) => {
    const compensation = compensationOf(unit, `/spec/units/${index}/compensate`, unitIds, faults);
    if (compensation === null) return;
    compensations.set(unit.id, compensation);
    flows.addCompensation(compensation.unitId, compensation.path);
  });
  return compensations;
}

function compensationOf(
  { compensate }: UnitDocument,
  path: string,
  unitIds: ReadonlySet<string>,
  faults: FaultList,
): Compensation | null {
  if (compensate === undefined) return null;
  const {
    unit: unitId,
    with: given,
    onUnknown = false,
  } = typeof compensate === 'string' ? { unit: compensate } : compensate;
  if (!unitIds.has(unitId)) {
    const [near] = faults.nearNames(unitId, unitIds);
    const hint = near === undefined ? ': add it to spec.units' : `: did you mean ${near}?`;
    faults.add(typeof compensate === 'string' ? path : `${path}/unit`, `no unit is named ${unitId}${hint}`);
    return null;
  }
  const input = given === undefined ? null : templateAt(faults, `${path}/with`, given, IN_COMPENSATION);
  return { unitId, path, input, onUnknown };
}

/** Nothing that undoes something may wait, and nothing undoes it. */
export function checkCompensations(
  compensations: ReadonlyMap<string, Compensation>,
  units: ReadonlyMap<string, PlanUnit>,
  faults: FaultList,
): void {
  for (const [ofUnit, { unitId, path }] of compensations) {
    const undone = units.get(ofUnit);
    if (undone !== undefined && undone.kind !== 'execute' && undone.kind !== 'workflow') {
      faults.add(
        path,
        `${undone.uses} does nothing that could be undone: compensate units that are called, or child runs`,
      );
    }
    const unit = units.get(unitId);
    if (unit === undefined) continue;
    const problem = problemOfWaiting(unit, 'to undo another');
    if (problem !== null) faults.add(path, problem);
    else if (unit.kind === 'set') faults.add(path, 'builtin.set undoes nothing: name a unit that is called');
    else if (unit.compensate !== null)
      faults.add(path, `the unit ${unitId} has a compensate of its own: what undoes another is not undone`);
  }
}

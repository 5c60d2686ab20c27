import type { PlanVar } from '../../core/plan/plan.js';
import type { SpecDocument } from '../document.js';
import { IN_VARS } from '../expression/surroundings.js';
import type { FaultList } from '../fault-list.js';
import { childPointer } from '../reader/json-pointer.js';
import { templateAt } from './compile-expression.js';

const VARS = '/spec/vars';

/** `spec.vars`, in the order of the document: each sees those above it. From then on, all expressions see all of them. */
export function compileVars({ vars = {} }: SpecDocument, faults: FaultList): readonly PlanVar[] {
  const names = new Set<string>();
  faults.knowVars(names);
  return Object.entries(vars).map(([name, given]) => {
    const value = templateAt(faults, childPointer(VARS, name), given, IN_VARS);
    names.add(name);
    return { name, value };
  });
}

export function warnOfUnusedVars(vars: readonly PlanVar[], faults: FaultList): void {
  for (const { name } of vars) {
    if (faults.isVarRead(name)) continue;
    faults.warn('unused-var', childPointer(VARS, name), `The var ${name} is read by no expression.`);
  }
}

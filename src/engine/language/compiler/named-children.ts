import type { Fault } from '../../../errors/document-errors.js';
import type { SpecDocument } from '../document.js';
import { MAX_WARNINGS, type FaultList } from '../fault-list.js';

/** A workflow that a unit names in the document itself, and where; that of an expression is known only in a run. */
export interface NamedChild extends Omit<Fault, 'message'> {
  readonly unitId: string;
  readonly workflowId: string;
}

/** The workflows that units of the document start runs of, each once, as many as may be warned of; but for its own. */
export function namedChildren(spec: SpecDocument, own: string, faults: FaultList): readonly NamedChild[] {
  const children = new Map<string, NamedChild>();
  for (const [index, { id: unitId, uses, config }] of spec.units.entries()) {
    if (children.size === MAX_WARNINGS) break;
    const workflowId = uses === 'builtin.workflow' ? config?.['workflowId'] : undefined;
    if (typeof workflowId !== 'string' || workflowId === own || workflowId.includes('${{')) continue;
    if (children.has(workflowId)) continue;
    const at = faults.locationOf(`/spec/units/${index}/config/workflowId`);
    children.set(workflowId, { ...at, unitId, workflowId });
  }
  return [...children.values()];
}

import type { SpecDocument } from './document.js';
import type { FaultList } from './fault-list.js';

/** The longest time-outs that a document may ask for here, in ms: settings of the installation, not of the language. */
export interface Ceilings {
  /** `FLOWGATE_MAX_UNIT_MS`: one attempt of a unit. */
  readonly unitMs: number;
  /** `FLOWGATE_MAX_WORKFLOW_MS`: a run. */
  readonly workflowMs: number;
}

/** For documents that were accepted before: their time-outs are bounded when they are used. */
export const NO_CEILINGS: Ceilings = { unitMs: Infinity, workflowMs: Infinity };

export function checkCeilings(spec: SpecDocument, { unitMs, workflowMs }: Ceilings, faults: FaultList): void {
  const check = (pointer: string, requested: number | undefined, most: number, setting: string): void => {
    if (requested !== undefined && requested > most)
      faults.add(pointer, tooLong(nameOf(pointer), requested, most, setting));
  };
  const { timeout } = spec.policy ?? {};
  check('/spec/policy/timeout/unitMs', timeout?.unitMs, unitMs, 'FLOWGATE_MAX_UNIT_MS');
  check('/spec/policy/timeout/workflowMs', timeout?.workflowMs, workflowMs, 'FLOWGATE_MAX_WORKFLOW_MS');
  spec.units.forEach(({ policyOverrides }, index) => {
    const pointer = `/spec/units/${index}/policyOverrides/timeout/unitMs`;
    check(pointer, policyOverrides?.timeout?.unitMs, unitMs, 'FLOWGATE_MAX_UNIT_MS');
  });
}

/** The sentence for a time-out above its ceiling. */
export function tooLong(name: string, requested: number, most: number, setting: string): string {
  return `${name} must be at most ${most}, not ${requested}: ask for less, or raise ${setting}`;
}

/** `/spec/units/0/policyOverrides` → `spec.units[0].policyOverrides`. */
function nameOf(pointer: string): string {
  return pointer
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/)/g, '[$1]')
    .replaceAll('/', '.');
}

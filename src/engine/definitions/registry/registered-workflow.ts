import type { Bindings, Definition } from '../definition.js';

/** What the registry keeps of each workflow; its definition may leave memory and be loaded from the store again. */
export interface RegisteredWorkflow {
  readonly namespace: string;
  readonly workflowId: string;
  readonly hash: string;
  /** Epoch ms. */
  readonly registeredAt: number;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly flowType: string;
  /** The units' ids, in the order of the document. */
  readonly units: readonly string[];
  /** The bindings as registered, by `uses`. */
  readonly bindings: Bindings;
  /** The approximate size of all of it, in characters. */
  readonly size: number;
}

export function registeredWorkflow(definition: Definition, registeredAt: number): RegisteredWorkflow {
  const { namespace, plan, description, labels, flowType, bindings } = definition;
  const units = [...plan.units.keys()];
  return {
    namespace,
    workflowId: plan.workflowId,
    hash: plan.hash,
    registeredAt,
    description,
    labels,
    flowType,
    units,
    bindings,
    size: sizeOf(units) + sizeOf([description ?? '', ...Object.entries(labels).flat()]) + sizeOfAll(bindings),
  };
}

/** What each text takes in addition to its characters. */
const PER_TEXT = 16;

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((size, text) => size + text.length + PER_TEXT, 0);
}

function sizeOfAll(bindings: Bindings): number {
  return sizeOf(
    [...bindings].flatMap(([uses, { endpoint, headers }]) => [
      uses,
      endpoint,
      ...Object.entries(headers).flat(),
    ]),
  );
}

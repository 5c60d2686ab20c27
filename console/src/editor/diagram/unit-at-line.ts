import type { LineRange } from '../../documents/text-reading.js';
import type { FlowTree } from '../../run/flow/flow-node.js';

/** The unit that is declared there; null: none is. */
export function unitAt(unitLines: ReadonlyMap<string, LineRange>, line: number): string | null {
  for (const [unitId, { first, last }] of unitLines) if (first <= line && line <= last) return unitId;
  return null;
}

/** Where the flow first comes to a unit; null: it never does. */
export function pathOf(tree: FlowTree | null, unitId: string): string | null {
  for (const node of tree?.nodes.values() ?? []) if (node.unitId === unitId) return node.path;
  return null;
}

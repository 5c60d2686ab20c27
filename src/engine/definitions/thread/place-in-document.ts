import type { NodePath } from '../../core/log/event-base.js';
import { pointerOf } from '../../core/plan/node-path.js';
import { readAcceptedDocument } from '../../language/parse-document.js';
import { childPointer, pointerTokens } from '../../language/reader/json-pointer.js';
import type { TextPosition } from '../../language/reader/positions/source-text.js';

/** What is looked up in a document that was accepted once. */
export interface SoughtNode {
  readonly yaml: string;
  readonly path: NodePath;
  /** The unit that the node is; null: it is a flow. */
  readonly unitId: string | null;
}

/**
 * Where a node is written. A unit whose place in the flow is written nowhere, such as one of a sequence without an `order`, is
 * found where it is declared.
 */
export function placeInDocument({ yaml, path, unitId }: SoughtNode): TextPosition {
  const { document, positions } = readAcceptedDocument(yaml);
  const pointer = pointerOf(path);
  const declared = document.spec.units.findIndex(({ id }) => id === unitId);
  if (declared === -1 || isWritten(document, pointer)) return positions.at(pointer);
  return positions.at(childPointer('/spec/units', declared));
}

function isWritten(document: unknown, pointer: string): boolean {
  let value = document;
  for (const token of pointerTokens(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return false;
    value = (value as Readonly<Record<string, unknown>>)[token];
  }
  return true;
}

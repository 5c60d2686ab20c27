import { createHash } from 'node:crypto';
import type { JsonValue } from '../../core/json.js';
import { canonicalJson } from '../../json/canonical-json.js';
import { readAcceptedDocument } from '../../language/parse-document.js';
import type { WorkflowDiff } from '../../workflow-versions.js';

/** The hash of each unit's content, by its id and in the order of the document. */
export type UnitContents = readonly (readonly [unitId: string, sha256: string])[];

/** Reads a text that was accepted once. Neither the order of a unit's keys nor comments count. */
export function unitContents(yaml: string): UnitContents {
  const { units } = readAcceptedDocument(yaml).document.spec;
  return units.map((unit) => {
    const content = canonicalJson(unit as unknown as JsonValue);
    return [unit.id, createHash('sha256').update(content).digest('hex')];
  });
}

/** `removed` has the order of `from`, the others that of `to`. */
export function comparedUnits(from: UnitContents, to: UnitContents): WorkflowDiff['units'] {
  const [before, after] = [new Map(from), new Map(to)];
  return {
    added: [...after.keys()].filter((unitId) => !before.has(unitId)),
    removed: [...before.keys()].filter((unitId) => !after.has(unitId)),
    changed: [...after].flatMap(([unitId, content]) => {
      const earlier = before.get(unitId);
      return earlier === undefined || earlier === content ? [] : [unitId];
    }),
  };
}

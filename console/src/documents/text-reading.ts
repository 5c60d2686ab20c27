import type { JsonValue } from '../../../clients/typescript/src/types/json.js';
import type { Fault } from '../../../src/errors/document-errors.js';
import { readText } from '../../../src/engine/language/reader/read-document.js';
import type { PositionIndex } from '../../../src/engine/language/reader/positions/position-index.js';
import { schemaFaults } from '../../../src/engine/language/reader/validation/validate-document.js';
import type { FlowTree } from '../run/flow/flow-node.js';
import { flowTreeOf } from '../run/flow/flow-tree.js';
import { namesIn, namesOf } from './document-names.js';
import type { KnownNames } from './known-names.js';

/** Flows of more parts are not drawn while they are written. */
const MOST_DRAWN = 2_000;

export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** What a text says by itself, without the service. */
export interface TextReading {
  readonly faults: readonly Fault[];
  readonly names: KnownNames;
  /** Of a text without faults. */
  readonly flow: FlowTree | 'too-large' | null;
  /** By unit of that flow, the lines of its declaration. */
  readonly unitLines: ReadonlyMap<string, LineRange>;
}

/**
 * Reads a text as the service would, but for what only the service knows: which units there are, which expressions compile, and
 * which groups `apiVersion` may name.
 */
export function readingOf(text: string): TextReading {
  const reading = readText(text);
  if (!reading.ok) return { faults: reading.faults, names: namesIn(text), flow: null, unitLines: new Map() };
  const { value, positions } = reading;
  const faults = schemaFaults(value, positions);
  const tree = faults.length === 0 ? flowTreeOf(value) : null;
  const flow = tree !== null && tree.nodes.size > MOST_DRAWN ? 'too-large' : tree;
  const isDrawn = flow !== null && flow !== 'too-large';
  return {
    faults,
    names: namesOf(value),
    flow,
    unitLines: isDrawn ? unitLinesOf(value, positions) : new Map(),
  };
}

/** Of a document that the schema has nothing against. */
function unitLinesOf(document: JsonValue, positions: PositionIndex): ReadonlyMap<string, LineRange> {
  const { spec } = document as unknown as {
    readonly spec: { readonly units: readonly { readonly id: string }[] };
  };
  const begins = spec.units.map((_unit, index) => positions.at(`/spec/units/${index}`).line);
  // The last one ends where something else of the document begins.
  const others = [...Object.keys(document as object), ...Object.keys(spec).map((key) => `spec/${key}`)];
  const end = others
    .map((pointer) => positions.keyAt(`/${pointer}`).line)
    .filter((line) => line > (begins.at(-1) ?? 0))
    .reduce((least, line) => Math.min(least, line), Infinity);
  return new Map(
    spec.units.map(({ id }, index) => {
      const first = begins[index] ?? 0;
      return [id, { first, last: Math.max(first, (begins[index + 1] ?? end) - 1) }];
    }),
  );
}

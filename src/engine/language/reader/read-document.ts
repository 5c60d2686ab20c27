import { type Fault, MAX_FAULTS } from '../../../errors/document-errors.js';
import type { JsonValue } from '../../core/json.js';
import { PositionIndex } from './positions/position-index.js';
import { readYaml } from './yaml/read-yaml.js';
import { SourceText } from './positions/source-text.js';
import { apiVersionFault, schemaFaults } from './validation/validate-document.js';
import { yamlValues } from './yaml/yaml-values.js';

/** What can be known of a workflow from its text alone, without knowing which units exist. */
export type DocumentReading = Refusal | Reading;

interface Reading {
  readonly ok: true;
  /** It satisfies the published schema. */
  readonly value: JsonValue;
  /** Source positions, for the faults that are found later. */
  readonly positions: PositionIndex;
}

interface Refusal {
  readonly ok: false;
  /** `yaml`: the text is no YAML that we take; `schema`: it breaks the published schema or names another `apiVersion`. */
  readonly stage: 'yaml' | 'schema';
  /** In the order of the text, at most 100. */
  readonly faults: readonly Fault[];
}

export interface ReadingOptions {
  /** Groups that `apiVersion` may name (`flowgate` for `flowgate/v1`). */
  readonly apiGroups: readonly string[];
  /** What to do to have another group accepted. Default: what to do at the service. */
  readonly toTakeOthers?: string;
}

/**
 * Reads a workflow as far as its text goes: the stages `yaml` and `schema` of `schemas/fixtures`. Never throws, whatever
 * the text, and needs nothing but JavaScript: the service, the command line and the client in a browser all read with this.
 */
export function readDocument(text: string, options: ReadingOptions): DocumentReading {
  const reading = readText(text);
  if (!reading.ok) return reading;
  const { value, positions } = reading;
  const broken = schemaFaults(value, positions);
  const version = apiVersionFault(value, options, positions);
  const faults =
    version === null ? broken : [version, ...broken.filter((fault) => fault.path !== version.path)];
  return faults.length === 0 ? reading : refusal('schema', faults);
}

/** The stage `yaml` alone: the value, whatever the schema says of it. */
export function readText(text: string): DocumentReading {
  const source = new SourceText(text);
  const syntax = readYaml(source);
  if (!syntax.ok) return refusal('yaml', syntax.faults);
  const { value, aliasTargets, faults } = yamlValues(source, syntax.root);
  if (faults.length > 0) return refusal('yaml', faults);
  return { ok: true, value, positions: new PositionIndex(source, syntax.root, aliasTargets) };
}

function refusal(stage: Refusal['stage'], faults: readonly Fault[]): Refusal {
  const inOrder = faults.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
  return { ok: false, stage, faults: inOrder.slice(0, MAX_FAULTS) };
}

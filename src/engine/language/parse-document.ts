import { type Fault, MAX_FAULTS, YamlValidationError } from '../../errors/document-errors.js';
import type { JsonValue } from '../core/json.js';
import type { WorkflowDocument } from './document.js';
import { PositionIndex } from './position-index.js';
import { readYaml } from './read-yaml.js';
import { SourceText } from './source-text.js';
import { apiVersionFault, schemaFaults } from './validate-document.js';
import { withUnitIds } from './unit-ids.js';
import { yamlValues } from './yaml-values.js';

export interface ParsedDocument {
  readonly document: WorkflowDocument;
  /** For the faults that the compiler finds. */
  readonly positions: PositionIndex;
}

export interface ParseOptions {
  /** Groups that `apiVersion` may name (`flowgate` for `flowgate/v1`). */
  readonly apiGroups: readonly string[];
}

/**
 * YAML text → a document that satisfies the published schema. Names are not resolved here and expressions are
 * not looked at. Throws a `YamlValidationError` and nothing else, whatever the text.
 */
export function parseDocument(yaml: string, options: ParseOptions): ParsedDocument {
  const { value, positions } = readText(yaml);
  const broken = schemaFaults(value, positions);
  const version = apiVersionFault(value, options.apiGroups, positions);
  if (version !== null) throw invalid([version, ...broken.filter((fault) => fault.path !== version.path)]);
  if (broken.length > 0) throw invalid(broken);
  return { document: withUnitIds(asDocument(value)), positions };
}

/**
 * YAML text that was accepted once → its document, whatever the schema and the setting say today. Throws a
 * `YamlValidationError` for what is no YAML.
 */
export function readAcceptedDocument(yaml: string): ParsedDocument {
  const { value, positions } = readText(yaml);
  return { document: withUnitIds(asDocument(value)), positions };
}

function readText(yaml: string): { readonly value: JsonValue; readonly positions: PositionIndex } {
  const source = new SourceText(yaml);
  const syntax = readYaml(source);
  if (!syntax.ok) throw invalid(syntax.faults);
  const { value, aliasTargets, faults } = yamlValues(source, syntax.root);
  if (faults.length > 0) throw invalid(faults);
  return { value, positions: new PositionIndex(source, syntax.root, aliasTargets) };
}

/** The schema is satisfied; this is the one place that turns that into a type. */
function asDocument(value: JsonValue): WorkflowDocument {
  return value as unknown as WorkflowDocument;
}

function invalid(faults: readonly Fault[]): YamlValidationError {
  const inOrder = faults.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
  return new YamlValidationError(inOrder.slice(0, MAX_FAULTS));
}

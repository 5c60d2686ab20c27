import { YamlValidationError } from '../../errors/document-errors.js';
import type { WorkflowDocument } from './document.js';
import type { PositionIndex } from './reader/positions/position-index.js';
import { type DocumentReading, readDocument, type ReadingOptions, readText } from './reader/read-document.js';
import { withUnitIds } from './unit-ids.js';

export interface ParsedDocument {
  readonly document: WorkflowDocument;
  /** Source positions, for the faults that the compiler finds. */
  readonly positions: PositionIndex;
}

/**
 * YAML text → a document that satisfies the published schema. Names are not resolved here and expressions are
 * not looked at. Throws a `YamlValidationError` and nothing else, whatever the text.
 */
export function parseDocument(yaml: string, options: ReadingOptions): ParsedDocument {
  return documentOf(readDocument(yaml, options));
}

/**
 * YAML text that was accepted once → its document, whatever the schema and the setting say today. Throws a
 * `YamlValidationError` for what is no YAML.
 */
export function readAcceptedDocument(yaml: string): ParsedDocument {
  return documentOf(readText(yaml));
}

function documentOf(reading: DocumentReading): ParsedDocument {
  if (!reading.ok) throw new YamlValidationError(reading.faults);
  // The schema is satisfied; this is the one place that turns that into a type.
  const document = reading.value as unknown as WorkflowDocument;
  return { document: withUnitIds(document), positions: reading.positions };
}

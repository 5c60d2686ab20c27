import { FlowgateValidationError } from '../errors/validation-error.js';
import { refusalSentence } from '../../../../src/engine/language/reader/refusal-sentence.js';
import type { WorkflowDocument } from '../types/documents.js';
import { jsonText } from '../calls/json-text.js';
import { readNamedFile } from './files.js';

/** The path of a readable file (in Node), else the YAML text itself; or the workflow as data. */
export type WorkflowSource = string | WorkflowDocument;

/** Bytes of UTF-8; what the reader takes. */
const MAX_YAML_BYTES = 2 * 1024 * 1024;

export interface WorkflowText {
  readonly text: string;
  /** What to add to a refusal: the text may have been meant as something else. */
  readonly hint: string | undefined;
}

export async function textOf(source: WorkflowSource): Promise<WorkflowText> {
  if (typeof source !== 'string') return { text: textOfData(source), hint: undefined };
  const reading = await readNamedFile(source, MAX_YAML_BYTES);
  switch (reading.kind) {
    case 'text':
      return { text: reading.text, hint: undefined };
    case 'too-large':
      throw refusal(`the text has ${reading.bytes} bytes: a workflow may have ${MAX_YAML_BYTES}`);
    case 'not-utf-8':
      throw refusal('the file is not UTF-8: save it in that encoding');
    case 'none':
      return { text: source, hint: hintFor(source, reading.because) };
  }
}

/** JSON is YAML; one field a line, so that the line of a fault says something. */
function textOfData(source: unknown): string {
  if (typeof source !== 'object' || source === null || Array.isArray(source)) {
    throw new TypeError('A workflow is a text, the path of a file, or an object: give one of them');
  }
  return jsonText(source, 'The workflow', 2);
}

function refusal(message: string): FlowgateValidationError {
  const faults = [{ path: '', line: 1, column: 1, message }];
  return new FlowgateValidationError({
    status: 400,
    code: 'yaml-validation',
    error: refusalSentence(faults),
    type: 'YamlValidationError',
    faults,
  });
}

/** A name of a file that is not there reads like a workflow that consists of one word. */
function hintFor(source: string, because: string | null): string | undefined {
  if (because === null || source.length > 256 || !/[/\\]|\.(?:ya?ml|json)$/i.test(source)) return undefined;
  if (because === 'EISDIR') return `It was taken as the text of a workflow: ${source} is no file.`;
  return `It was taken as the text of a workflow: a file ${source} cannot be read (${because}).`;
}

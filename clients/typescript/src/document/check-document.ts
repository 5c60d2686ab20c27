import { readDocument } from '../../../../src/engine/language/reader/read-document.js';
import { refusalSentence } from '../../../../src/engine/language/reader/refusal-sentence.js';
import { FlowgateValidationError } from '../errors/validation-error.js';
import type { WorkflowText } from './workflow-source.js';

const TO_TAKE_OTHERS = 'set FLOWGATE_API_GROUP to take others, and apiGroups of the client';

/** The id of a workflow that the published schema has nothing against. Throws all faults as one error. */
export function checkedWorkflowId({ text, hint }: WorkflowText, apiGroups: readonly string[]): string {
  const reading = readDocument(text, { apiGroups, toTakeOthers: TO_TAKE_OTHERS });
  if (reading.ok) {
    return (reading.value as { readonly metadata: { readonly id: string } }).metadata.id;
  }
  const { faults } = reading;
  throw new FlowgateValidationError(
    {
      status: 400,
      error: refusalSentence(faults),
      code: 'yaml-validation',
      type: 'YamlValidationError',
      faults,
    },
    hint === undefined ? {} : { hint },
  );
}

/** Whatever the service would refuse for its text alone is refused before it is sent. */
export function checkBeforeSending(document: WorkflowText, apiGroups: readonly string[]): void {
  checkedWorkflowId(document, apiGroups);
}

import { faultSentence, type Fault } from '../../../errors/document-errors.js';

/** What a `YamlValidationError` of these faults says: the client says it in the same words before anybody is asked. */
export function refusalSentence(faults: readonly Fault[]): string {
  return faultSentence('The workflow is not valid', faults);
}

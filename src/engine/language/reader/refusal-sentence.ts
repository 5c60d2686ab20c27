import { faultSentence, type Fault } from '../../../errors/document-errors.js';

/** The sentence of a `YamlValidationError` with these faults; the client uses the same words before it calls the service. */
export function refusalSentence(faults: readonly Fault[]): string {
  return faultSentence('The workflow is not valid', faults);
}

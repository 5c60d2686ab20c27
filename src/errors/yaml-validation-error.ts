import type { Fault } from './fault.js';
import { MAX_FAULTS, faultSentence } from './fault.js';
import { FlowgateError } from './flowgate-error.js';

/** The text is not YAML, or the document breaks the schema of the workflow language (interface, section 7). */
export class YamlValidationError extends FlowgateError {
  readonly code = 'yaml-validation';
  /** Every fault in the order of the text, at most 100. */
  declare readonly details: readonly Fault[];

  constructor(faults: readonly Fault[], options: { readonly cause?: unknown } = {}) {
    const details = faults.slice(0, MAX_FAULTS);
    super(faultSentence('The workflow is not valid', details), { ...options, details });
  }
}

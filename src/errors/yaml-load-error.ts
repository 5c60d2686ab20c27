import type { Fault } from './fault.js';
import { MAX_FAULTS, faultSentence } from './fault.js';
import { FlowgateError } from './flowgate-error.js';

/**
 * The document is well-formed and cannot be loaded: a name that nothing answers to, an expression that does not
 * compile, a cycle, a bad binding (interface, section 7).
 */
export class YamlLoadError extends FlowgateError {
  readonly code = 'yaml-load';
  /** Every fault, at most 100. */
  declare readonly details: readonly Fault[];

  constructor(faults: readonly Fault[], options: { readonly cause?: unknown } = {}) {
    const details = faults.slice(0, MAX_FAULTS);
    super(faultSentence('The workflow cannot be loaded', details), { ...options, details });
  }
}

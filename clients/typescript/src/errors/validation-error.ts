import { FlowgateApiError, type ApiErrorFields } from './api-error.js';

/** One thing that is wrong in a workflow, and where. */
export interface DocumentFault {
  /** JSON pointer into the document (or into the bindings); `''` is the whole text. */
  readonly path: string;
  /** Counts from 1; null when the fault is not in the text (a binding). */
  readonly line: number | null;
  /** Counts from 1, in UTF-16 code units; null together with `line`. */
  readonly column: number | null;
  readonly message: string;
}

/**
 * The workflow is not valid, or cannot be loaded: `type` is `YamlValidationError` or `YamlLoadError`, `status` 400. The
 * first is found here, before the service is asked; the second only the service finds.
 */
export class FlowgateValidationError extends FlowgateApiError {
  override readonly name: string = 'FlowgateValidationError';
  /** In the order of the text, at most 100. */
  readonly faults: readonly DocumentFault[];

  constructor(
    fields: Omit<ApiErrorFields, 'details'> & { readonly faults: readonly DocumentFault[] },
    options: { readonly cause?: unknown; readonly hint?: string } = {},
  ) {
    const { faults, ...others } = fields;
    super({ ...others, details: faults.map((fault) => ({ ...fault })) }, options);
    this.faults = faults;
  }
}

import { FlowgateClientError } from './client-error.js';
import type { ErrorDetail } from './error-detail.js';
import { everyFault } from './fault-text.js';

export interface ApiErrorFields {
  readonly status: number;
  readonly error: string;
  readonly type?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly detail?: string | undefined;
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Flowgate refused (interface, section 7), over HTTP or in process: the same fields in both. */
export class FlowgateApiError extends FlowgateClientError {
  override readonly name: string = 'FlowgateApiError';
  /** Of HTTP; in process what it would be there. */
  readonly status: number;
  /** What the service says, its routes and headers as methods and options; `message` has the faults that it left to `details`, too. */
  readonly error: string;
  /** The error's class, where others have the same status: `YamlLoadError`. */
  readonly type: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** A second sentence. */
  readonly detail: string | undefined;
  /** Stable, for programs: as docs/http.md lists them. Absent where something else than Flowgate answered. */
  readonly code: string | undefined;
  /** What `Retry-After` required. */
  readonly retryAfterMs: number | undefined;

  constructor(fields: ApiErrorFields, options: { readonly cause?: unknown; readonly hint?: string } = {}) {
    const { error, details = [], detail } = fields;
    super(
      [everyFault(error, details), detail, options.hint].filter((text) => text !== undefined).join('\n'),
      options,
    );
    this.status = fields.status;
    this.error = error;
    this.type = fields.type;
    this.details = details;
    this.detail = detail;
    this.code = fields.code;
    this.retryAfterMs = fields.retryAfterMs;
  }
}

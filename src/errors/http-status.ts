import type { FlowgateError } from './flowgate-error.js';

const UNAVAILABLE = 503;

/**
 * The one table from a stable code to its HTTP status (interface, section 7). A code that is not here is a
 * fault of the service. Reading operations turn `unknown-run` and `no-checkpoint` into `not-found`.
 */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['malformed-json', 400],
  ['invalid-request', 400],
  ['invalid-input', 400],
  ['yaml-validation', 400],
  ['yaml-load', 400],
  ['self-call', 403],
  ['foreign-host', 403],
  ['foreign-page', 403],
  ['not-found', 404],
  ['method-not-allowed', 405],
  ['ambiguous-gate', 409],
  ['gate-decided', 409],
  ['idempotency-conflict', 409],
  ['registry-full', 409],
  ['body-too-large', 413],
  ['unsupported-media-type', 415],
  ['expectation', 417],
  ['unknown-workflow', 500],
  ['unknown-run', 500],
  ['no-checkpoint', 500],
  ['unreadable-event', 500],
  ['unreadable-plan', 500],
  ['sealed', 500],
  ['shutting-down', UNAVAILABLE],
  ['busy', UNAVAILABLE],
  ['store', UNAVAILABLE],
  ['uploads-full', UNAVAILABLE],
]);

export function httpStatusOf(error: FlowgateError): number {
  const status = STATUSES.get(error.code) ?? 500;
  // 503 asks the caller to try again, which would not help.
  return status === UNAVAILABLE && !error.retryable ? 500 : status;
}

/** Whether the error is an answer that the interface foresees, and not a fault of the service. */
export function isForeseen(error: FlowgateError): boolean {
  return STATUSES.has(error.code);
}

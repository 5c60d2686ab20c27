import type { FlowgateError } from './flowgate-error.js';
import { NotFoundError } from './request-errors.js';

/**
 * How requests for unknown workflows and runs are refused: as the interface fixes it (500), or as is usual in HTTP
 * (404, 409).
 */
export const STATUS_KINDS = ['interface', 'conventional'] as const;
export type StatusKind = (typeof STATUS_KINDS)[number];

const UNAVAILABLE = 503;

/**
 * The one table from a stable code to its HTTP status (interface, section 7). A code that is missing here is a fault
 * of the service, and is shown as `internal`. docs/http.md explains each of them.
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
  ['own-gate', 403],
  ['unauthorized', 401],
  ['forbidden', 403],
  ['unknown-key', 404],
  ['keys-full', 409],
  ['not-found', 404],
  ['method-not-allowed', 405],
  ['ambiguous-gate', 409],
  ['gate-decided', 409],
  ['unwound', 409],
  ['nothing-to-compensate', 409],
  ['idempotency-conflict', 409],
  ['registry-full', 409],
  ['unknown-version', 404],
  ['unit-not-reached', 409],
  ['decided-gate', 409],
  ['incompatible-definition', 409],
  ['run-known', 409],
  ['imported-run', 409],
  ['body-too-large', 413],
  ['unsupported-media-type', 415],
  ['expectation', 417],
  ['unknown-workflow', 500],
  ['unknown-run', 500],
  ['run-over', 500],
  ['no-checkpoint', 500],
  ['unreadable-event', 500],
  ['unreadable-plan', 500],
  ['sealed', 500],
  ['auth-unavailable', UNAVAILABLE],
  ['shutting-down', UNAVAILABLE],
  ['busy', UNAVAILABLE],
  ['store', UNAVAILABLE],
  ['uploads-full', UNAVAILABLE],
  ['streams-full', UNAVAILABLE],
  ['namespace-full', UNAVAILABLE],
  ['too-many-requests', 429],
]);

/** The statuses that differ with `conventional`. */
const CONVENTIONAL: ReadonlyMap<string, number> = new Map([
  ['unknown-workflow', 404],
  ['unknown-run', 404],
  ['run-over', 409],
  ['no-checkpoint', 409],
]);

/** Codes that no error class of ours has: those of Node's parser, of unforeseen faults, and of a probe that fails. */
const BEYOND_ERRORS: ReadonlyMap<string, number> = new Map([
  ['malformed-http', 400],
  ['request-timeout', 408],
  ['head-too-large', 431],
  ['internal', 500],
  ['recovering', UNAVAILABLE],
]);

/** The codes of refusals by a host's guards and pipes, and by the routers, which have only a status. */
const OF_STATUSES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid-request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'method-not-allowed'],
  [409, 'conflict'],
  [413, 'body-too-large'],
  [415, 'unsupported-media-type'],
  [429, 'too-many-requests'],
  [503, 'unavailable'],
]);
/** The code of any other status below 500. */
const REFUSED = 'refused';

/** Every code that an error body can carry, with its status; `refused` occurs with several, and has 400 here. */
export function statusesOfCodes(kind: StatusKind): ReadonlyMap<string, number> {
  const ofHosts = [...OF_STATUSES].map(([status, code]) => [code, status] as const);
  const changed = kind === 'conventional' ? CONVENTIONAL : [];
  return new Map([...ofHosts, [REFUSED, 400], ...STATUSES, ...BEYOND_ERRORS, ...changed]);
}

export function codeOfStatus(status: number): string {
  return OF_STATUSES.get(status) ?? (status < 500 ? REFUSED : 'internal');
}

export function httpStatusOf(error: FlowgateError, kind: StatusKind = 'interface'): number {
  // A read of something unknown is 404, whatever the status is for operations that change something.
  if (error instanceof NotFoundError) return 404;
  const status =
    (kind === 'conventional' ? CONVENTIONAL.get(error.code) : undefined) ?? STATUSES.get(error.code) ?? 500;
  // 503 invites the caller to try again, which would not help.
  return status === UNAVAILABLE && !error.retryable ? 500 : status;
}

/** Whether the interface foresees the error, so that it is not a fault of the service. */
export function isForeseen(error: FlowgateError): boolean {
  return STATUSES.has(error.code);
}

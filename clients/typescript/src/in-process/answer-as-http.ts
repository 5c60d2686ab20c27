import { messageOf } from '../errors/message-of.js';
import { FlowgateApiError } from '../errors/api-error.js';
import type { ErrorDetail } from '../errors/error-detail.js';
import { FlowgateValidationError, type DocumentFault } from '../errors/validation-error.js';

/** What an engine throws on purpose. */
interface EngineError {
  readonly name: string;
  readonly message: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly detail: string | undefined;
}

/**
 * The statuses of the service. A code that is not here is a fault there, 500 and `internal`. A test holds the two
 * together.
 */
const STATUSES: Readonly<Record<string, number>> = {
  'invalid-request': 400,
  'invalid-input': 400,
  'yaml-validation': 400,
  'yaml-load': 400,
  'ambiguous-gate': 409,
  'gate-decided': 409,
  unwound: 409,
  'nothing-to-compensate': 409,
  'unit-not-reached': 409,
  'decided-gate': 409,
  'incompatible-definition': 409,
  'idempotency-conflict': 409,
  'registry-full': 409,
  'run-known': 409,
  'imported-run': 409,
  'unknown-workflow': 500,
  'unknown-run': 500,
  'run-over': 500,
  'no-checkpoint': 500,
  'unreadable-event': 500,
  'unreadable-plan': 500,
  sealed: 500,
  'namespace-full': 503,
  'shutting-down': 503,
  busy: 503,
  store: 503,
};
const INTERNAL = 'internal';
const DOCUMENT_ERRORS: readonly string[] = ['YamlValidationError', 'YamlLoadError'];
const TYPED: readonly string[] = [
  ...DOCUMENT_ERRORS,
  'AmbiguousGateError',
  'GateDecidedError',
  'UnwoundError',
  'NothingToCompensateError',
  'UnitNotReachedError',
  'DecidedGateError',
  'IncompatibleDefinitionError',
  'IdempotencyConflictError',
];
/** What is not there is 404 where it is read or stopped, and 500 where something else is to be done with it. */
const NOT_FOUND: readonly string[] = ['unknown-run', 'no-checkpoint'];
/** Where the interface fixes nothing, a workflow that is not there is so, too. */
const NOT_FOUND_BY_NAME: readonly string[] = [...NOT_FOUND, 'unknown-workflow'];

export type Doing = 'registering' | 'reading' | 'steering' | 'stopping' | 'finding';

/** The same error that the service would make of it; one that nobody foresaw is a 500 that carries it as its cause. */
export function answerAsHttp(cause: unknown, doing: Doing): FlowgateApiError {
  if (!isEngineError(cause)) {
    return new FlowgateApiError(
      { status: 500, error: messageOf(cause), code: INTERNAL, type: typeAt(doing, 500) },
      { cause },
    );
  }
  const { message: error, name, details, detail } = cause;
  const status = statusOf(cause, doing);
  const code = Object.hasOwn(STATUSES, cause.code) ? cause.code : INTERNAL;
  const type = TYPED.includes(name) ? name : typeAt(doing, status);
  if (DOCUMENT_ERRORS.includes(name)) {
    const faults = (details ?? []) as readonly unknown[] as readonly DocumentFault[];
    return new FlowgateValidationError({ status, error, code, type, detail, faults }, { cause });
  }
  return new FlowgateApiError({ status, error, code, type, details, detail }, { cause });
}

function statusOf({ code, retryable }: EngineError, doing: Doing): number {
  if (doing === 'finding' && NOT_FOUND_BY_NAME.includes(code)) return 404;
  if ((doing === 'reading' || doing === 'stopping') && NOT_FOUND.includes(code)) return 404;
  const status = Object.hasOwn(STATUSES, code) ? (STATUSES[code] ?? 500) : 500;
  return status === 503 && !retryable ? 500 : status;
}

function typeAt(doing: Doing, status: number): string | undefined {
  return doing === 'registering' && status === 500 ? 'Error' : undefined;
}

function isEngineError(error: unknown): error is EngineError {
  if (typeof error !== 'object' || error === null) return false;
  return 'code' in error && 'retryable' in error && 'details' in error;
}

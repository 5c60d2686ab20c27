import { HttpException } from '@nestjs/common';
import { TooManyRequestsError } from '../../errors/access-errors.js';
import { StreamsFullError, UploadsFullError } from '../../errors/edge-errors.js';
import {
  AmbiguousGateError,
  DecidedGateError,
  GateDecidedError,
  IncompatibleDefinitionError,
  UnitNotReachedError,
  NothingToCompensateError,
  UnwoundError,
} from '../../errors/run-errors.js';
import { FlowgateError, textOf, type ErrorDetail } from '../../errors/flowgate-error.js';
import { codeOfStatus, httpStatusOf, isForeseen, type StatusKind } from '../../errors/http-status.js';
import { IdempotencyConflictError } from '../../errors/request-errors.js';
import { YamlLoadError, YamlValidationError } from '../../errors/document-errors.js';
import { NamespaceFullError, StoreError } from '../../errors/service-errors.js';
import type { Surface } from '../../errors/wording.js';

/** The body of every error response. */
export interface ErrorBody {
  readonly error: string;
  /** A stable code for programs. */
  readonly code: string;
  /** The error's class, if callers need it. */
  readonly type?: string;
  readonly details?: readonly ErrorDetail[];
  readonly detail?: string;
}

export interface ErrorResponse {
  readonly status: number;
  readonly body: ErrorBody;
  /** Whether it is a fault of the service, which belongs in the log. */
  readonly isFault: boolean;
  /** The value of `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

/** Errors that share their status with others, or whose class the interface shows. */
const TYPED = [
  YamlValidationError,
  YamlLoadError,
  AmbiguousGateError,
  GateDecidedError,
  UnwoundError,
  NothingToCompensateError,
  UnitNotReachedError,
  DecidedGateError,
  IncompatibleDefinitionError,
  IdempotencyConflictError,
];
/** The code of an unforeseen fault. */
const INTERNAL = 'internal';
/** After an upload that had to give way: by then the other uploads are done, or have given way as well. */
const UPLOAD_AGAIN_SECONDS = 2;
/** Streams stay open for long, and another client may be first. */
const STREAM_AGAIN_SECONDS = 10;
/** A database that is back, a disk that has space again: the service continues by itself, within a look of its own. */
const STORE_AGAIN_SECONDS = 2;
/** Runs end all the time, and take their time. */
const RUN_AGAIN_SECONDS = 10;
const FAULT = 'The service failed while it worked on this: its log says why';

/** The response for an error, in the words of those who called; an unforeseen error is not described. */
export function errorResponseOf(
  error: unknown,
  kind: StatusKind = 'interface',
  surface: 'http' | 'mcp' = 'http',
): ErrorResponse {
  if (error instanceof FlowgateError) {
    return {
      status: httpStatusOf(error, kind),
      body: bodyOf(error, surface),
      isFault: !isForeseen(error),
      ...retryAfter(error),
    };
  }
  if (error instanceof HttpException) {
    const status = error.getStatus();
    return { status, body: { error: error.message, code: codeOfStatus(status) }, isFault: false };
  }
  return { status: 500, body: { error: FAULT, code: INTERNAL }, isFault: true };
}

function retryAfter(error: FlowgateError): Pick<ErrorResponse, 'retryAfterSeconds'> {
  if (error instanceof UploadsFullError) return { retryAfterSeconds: UPLOAD_AGAIN_SECONDS };
  if (error instanceof StreamsFullError) return { retryAfterSeconds: STREAM_AGAIN_SECONDS };
  if (error instanceof NamespaceFullError) return { retryAfterSeconds: RUN_AGAIN_SECONDS };
  if (error instanceof TooManyRequestsError) return { retryAfterSeconds: error.retryAfterSeconds };
  if (error instanceof StoreError && error.retryable) return { retryAfterSeconds: STORE_AGAIN_SECONDS };
  return {};
}

function bodyOf(error: FlowgateError, surface: Surface): ErrorBody {
  const { message, detail } = textOf(error, surface);
  const { details } = error;
  return {
    error: message,
    code: isForeseen(error) ? error.code : INTERNAL,
    ...(TYPED.some((ErrorClass) => error instanceof ErrorClass) ? { type: error.name } : {}),
    ...(details === undefined ? {} : { details }),
    ...(detail === undefined ? {} : { detail }),
  };
}

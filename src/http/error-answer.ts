import { HttpException } from '@nestjs/common';
import { StreamsFullError, UploadsFullError } from '../errors/edge-errors.js';
import {
  AmbiguousGateError,
  DecidedGateError,
  GateDecidedError,
  IncompatibleDefinitionError,
  UnitNotReachedError,
} from '../errors/run-errors.js';
import { FlowgateError, type ErrorDetail } from '../errors/flowgate-error.js';
import { codeOfStatus, httpStatusOf, isForeseen, type StatusKind } from '../errors/http-status.js';
import { IdempotencyConflictError } from '../errors/request-errors.js';
import { YamlLoadError, YamlValidationError } from '../errors/document-errors.js';

/** The body of every answer that is an error. */
export interface ErrorBody {
  readonly error: string;
  /** Stable, for programs. */
  readonly code: string;
  /** The error's class, where a caller needs it. */
  readonly type?: string;
  readonly details?: readonly ErrorDetail[];
  readonly detail?: string;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  /** A fault of the service: it belongs in the log. */
  readonly isFault: boolean;
  /** What `Retry-After` says. */
  readonly retryAfterSeconds?: number;
}

/** Errors that share their status with others, or whose class the interface shows. */
const TYPED = [
  YamlValidationError,
  YamlLoadError,
  AmbiguousGateError,
  GateDecidedError,
  UnitNotReachedError,
  DecidedGateError,
  IncompatibleDefinitionError,
  IdempotencyConflictError,
];
/** Of a fault that nobody foresaw. */
const INTERNAL = 'internal';
/** An upload that had to give way: the others are done by then, or have given way as well. */
const UPLOAD_AGAIN_SECONDS = 2;
/** Streams are open for long, and somebody else may be first. */
const STREAM_AGAIN_SECONDS = 10;
const FAULT = 'The service failed while it worked on this: its log says why';

/** What a caller is told; of an error that nobody foresaw, only that there was one. */
export function answerTo(error: unknown, kind: StatusKind = 'interface'): ErrorAnswer {
  if (error instanceof FlowgateError) {
    return {
      status: httpStatusOf(error, kind),
      body: bodyOf(error),
      isFault: !isForeseen(error),
      ...(error instanceof UploadsFullError ? { retryAfterSeconds: UPLOAD_AGAIN_SECONDS } : {}),
      ...(error instanceof StreamsFullError ? { retryAfterSeconds: STREAM_AGAIN_SECONDS } : {}),
    };
  }
  if (error instanceof HttpException) {
    const status = error.getStatus();
    return { status, body: { error: error.message, code: codeOfStatus(status) }, isFault: false };
  }
  return { status: 500, body: { error: FAULT, code: INTERNAL }, isFault: true };
}

function bodyOf(error: FlowgateError): ErrorBody {
  const { message, details, detail } = error;
  return {
    error: message,
    code: isForeseen(error) ? error.code : INTERNAL,
    ...(TYPED.some((ErrorClass) => error instanceof ErrorClass) ? { type: error.name } : {}),
    ...(details === undefined ? {} : { details }),
    ...(detail === undefined ? {} : { detail }),
  };
}

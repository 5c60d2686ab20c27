import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { errorResponseOf } from '../../http/error-response.js';

/** The error that a caller gets. A fault of ours is not described to the caller, but passed to `onFault`. */
export function protocolErrorOf(error: unknown, onFault: (error: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { body, isFault, status } = errorResponseOf(error);
  if (isFault) onFault(error);
  const code = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, body.error, { code: body.code });
}

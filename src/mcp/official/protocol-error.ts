import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { answerTo } from '../../http/error-answer.js';

/** What a caller is told of an error; of a fault of ours only that there was one, and `onFault` is told the rest. */
export function protocolErrorOf(error: unknown, onFault: (error: unknown) => void): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { body, isFault, status } = answerTo(error);
  if (isFault) onFault(error);
  const code = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, body.error, { code: body.code });
}

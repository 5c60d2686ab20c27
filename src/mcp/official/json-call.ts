import {
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  type AuthInfo,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
} from '@modelcontextprotocol/server';
import type { HttpExchange, JsonAnswer } from './http-exchange.js';

const JSON_TYPE = 'application/json';

/**
 * One request that one message of JSON answers: nearly all are that. Done as the SDK's transport would do it, which makes
 * a stream for the answer first and costs more than the run that was asked for (docs/benchmarks.md).
 */
export class JsonCall {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  private readonly answered = Promise.withResolvers<JsonAnswer>();

  constructor(private readonly call: JSONRPCRequest) {}

  handleRequest(request: Request, { authInfo }: { readonly authInfo: AuthInfo }): Promise<JsonAnswer> {
    this.onmessage?.(this.call, { request, authInfo });
    return this.answered.promise;
  }

  async send(message: JSONRPCMessage, _options?: object): Promise<void> {
    if ('result' in message || 'error' in message) this.answered.resolve({ message });
  }
}

/** The request of a body that the SDK's transport would take without a word; what is wrong with others, it says. */
export function jsonCallOf({ request: { headers }, body }: HttpExchange): JSONRPCRequest | null {
  const accept = headers.get('accept') ?? '';
  const revision = headers.get('mcp-protocol-version');
  const isTaken =
    accept.includes(JSON_TYPE) &&
    accept.includes('text/event-stream') &&
    headers.get('content-type') === JSON_TYPE &&
    (revision === null || SUPPORTED_PROTOCOL_VERSIONS.includes(revision));
  return isTaken && isJSONRPCRequest(body) && body.method !== 'initialize' ? body : null;
}

import {
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  type AuthInfo,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
} from '@modelcontextprotocol/server';
import type { HttpExchange, JsonResponse } from './http-exchange.js';

const JSON_TYPE = 'application/json';

/**
 * A request whose response is one JSON message, as nearly all are. It does the same as the SDK's transport, which
 * first makes a stream for the response and costs more than the requested run (docs/benchmarks.md).
 */
export class JsonCall {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  private readonly response = Promise.withResolvers<JsonResponse>();

  constructor(private readonly call: JSONRPCRequest) {}

  handleRequest(request: Request, { authInfo }: { readonly authInfo: AuthInfo }): Promise<JsonResponse> {
    this.onmessage?.(this.call, { request, authInfo });
    return this.response.promise;
  }

  async send(message: JSONRPCMessage, _options?: object): Promise<void> {
    if ('result' in message || 'error' in message) this.response.resolve({ message });
  }
}

/** The request of a body that the SDK's transport would accept as it is; null for any other, which the SDK handles. */
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

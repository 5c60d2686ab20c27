import type { ServerResponse } from 'node:http';
import type { AuthInfo, JSONRPCMessage } from '@modelcontextprotocol/server';
import type { RequestContext } from '../../../http/identity/request-context.js';
import { rpcError, RpcFault } from '../../json-rpc.js';

/** The header that names a session (Streamable HTTP, 2025 revisions). */
export const SESSION_ID = 'mcp-session-id';

/** One HTTP request and its response. */
export interface HttpExchange {
  readonly request: Request;
  /** The response that is written to; closed once it is complete, or the client has disconnected. */
  readonly response: ServerResponse;
  readonly body: unknown;
  readonly authInfo: AuthInfo;
  /** As whom, and by which engine, the request is served. */
  readonly context: RequestContext;
}

/** A response that Nest writes as JSON. */
export interface JsonResponse {
  readonly message: JSONRPCMessage;
}

export type HttpResponse = Response | JsonResponse;

/** The response to a faulty request that no server of the SDK handles. */
export function faultResponse(status: number, code: number, message: string): Response {
  return Response.json(rpcError(null, new RpcFault(code, message)), { status });
}

import type { ServerResponse } from 'node:http';
import type { AuthInfo, JSONRPCMessage } from '@modelcontextprotocol/server';

/** One HTTP request and its response. */
export interface HttpExchange {
  readonly request: Request;
  /** The response that is written to; closed once it is complete, or the client has disconnected. */
  readonly response: ServerResponse;
  readonly body: unknown;
  readonly authInfo: AuthInfo;
  /** The caller whose share of the sessions the request uses. */
  readonly caller: string;
}

/** A response that Nest writes as JSON. */
export interface JsonResponse {
  readonly message: JSONRPCMessage;
}

export type HttpResponse = Response | JsonResponse;

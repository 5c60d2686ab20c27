import type { AuthInfo, JSONRPCMessage } from '@modelcontextprotocol/server';

/** What one HTTP request brings. */
export interface HttpExchange {
  readonly request: Request;
  readonly body: unknown;
  readonly authInfo: AuthInfo;
}

/** An answer that Nest writes, as it writes all JSON. */
export interface JsonAnswer {
  readonly message: JSONRPCMessage;
}

export type HttpAnswer = Response | JsonAnswer;

import type { ServerResponse } from 'node:http';
import type { AuthInfo, JSONRPCMessage } from '@modelcontextprotocol/server';

/** What one HTTP request brings. */
export interface HttpExchange {
  readonly request: Request;
  /** Where the answer is written; closed once that is done, or nobody takes it any more. */
  readonly response: ServerResponse;
  readonly body: unknown;
  readonly authInfo: AuthInfo;
  /** Whose share of the sessions it takes. */
  readonly caller: string;
}

/** An answer that Nest writes, as it writes all JSON. */
export interface JsonAnswer {
  readonly message: JSONRPCMessage;
}

export type HttpAnswer = Response | JsonAnswer;

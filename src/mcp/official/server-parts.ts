import type {
  ClientCapabilities,
  RequestMethod,
  Result,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';

/** A method's call, as the SDK has checked it. */
export interface RpcCall {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Answers one method; `client` is what the caller has declared that it can do. */
export type RequestHandler = (
  request: RpcCall,
  ctx: ServerContext,
  client: ClientCapabilities | undefined,
) => Promise<Result> | Result;

/** What our servers offer: the same for every client, session and revision. */
export interface ServerParts {
  readonly capabilities: ServerCapabilities;
  readonly handlers: ReadonlyMap<RequestMethod, RequestHandler>;
  /** Verifies the state that a client brings back with an answer. Rejects unless one of our servers issued it. */
  readonly verifyState: (state: string, ctx: ServerContext) => Promise<unknown>;
}

/** Makes a server of the SDK that is not connected yet; if `only` is given, for a request of that method and no other. */
export type CreateServer = (only?: string | null) => Server;

/** Adds to the parts, or wraps them. */
export type ServerExtension = (parts: ServerParts) => ServerParts;

import type {
  ClientCapabilities,
  RequestMethod,
  Result,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';

/** What a method is asked with, as the SDK has checked it. */
export interface RpcCall {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Answers one method; `client` is what the caller said it can do. */
export type RequestHandler = (
  request: RpcCall,
  ctx: ServerContext,
  client: ClientCapabilities | undefined,
) => Promise<Result> | Result;

/** What a server of ours offers: the same for every client, session and revision. */
export interface ServerParts {
  readonly capabilities: ServerCapabilities;
  readonly handlers: ReadonlyMap<RequestMethod, RequestHandler>;
  /** Opens the state that a client brings back with an answer. Rejects when it is not what a server of ours gave. */
  readonly verifyState: (state: string, ctx: ServerContext) => Promise<unknown>;
}

/** A server of the SDK that is not connected yet; where `only` is named, for a request of that method and no other. */
export type CreateServer = (only?: string | null) => Server;

/** Adds to the parts, or wraps them. */
export type ServerExtension = (parts: ServerParts) => ServerParts;

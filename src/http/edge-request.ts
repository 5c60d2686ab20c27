import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** What the edge needs of a request; Express's and Fastify's both fit. */
export interface EdgeRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Set when a body parser of the host was here first. */
  readonly body?: unknown;
  /** What that parser has read, where the host asked Nest to keep it (`rawBody: true`). */
  readonly rawBody?: unknown;
  /** Fastify's way to Node's own request; Express's request is one. */
  readonly raw?: IncomingMessage;
  /** The client's address, where the host's server gives it: behind a proxy that the host trusts not the proxy's. */
  readonly ip?: string | undefined;
}

export function streamOf(request: EdgeRequest): IncomingMessage {
  return request.raw ?? (request as unknown as IncomingMessage);
}

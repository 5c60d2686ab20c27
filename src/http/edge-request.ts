import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** What the edge needs of a request; Express's and Fastify's both fit. */
export interface EdgeRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The result of a body parser of the host, if one ran before us. */
  readonly body?: unknown;
  /** The bytes that such a parser has read, if the host told Nest to keep them (`rawBody: true`). */
  readonly rawBody?: unknown;
  /** Node's own request in Fastify; an Express request is Node's own. */
  readonly raw?: IncomingMessage;
  /** The client's address as the host's server determines it; behind a proxy that the host trusts, not the proxy's. */
  readonly ip?: string | undefined;
}

export function streamOf(request: EdgeRequest): IncomingMessage {
  return request.raw ?? (request as unknown as IncomingMessage);
}

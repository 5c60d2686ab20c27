import type { IncomingHttpHeaders } from 'node:http';

/** What every adapter's request has, Express's and Fastify's. */
export interface HostRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

import type { ServerResponse } from 'node:http';

/** What the edge needs of a response; Express's and Fastify's both fit. */
export type EdgeResponse = ServerResponse & { readonly raw?: ServerResponse };

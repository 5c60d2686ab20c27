import { NotFoundException } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';

/** The adapter of the service says what it answers where nothing is; in a host, the host does. */
interface ExplainsRoutes {
  unrouted?(request: { readonly method: string; readonly path: string }): Error;
}

/** The error by which a route that is switched off is as one that never was. */
export function notThere(
  { httpAdapter }: HttpAdapterHost,
  { method, url }: { readonly method: string; readonly url: string },
): Error {
  const [path = ''] = url.split('?');
  const adapter = httpAdapter as object as ExplainsRoutes;
  return adapter.unrouted?.({ method, path }) ?? new NotFoundException(`Cannot ${method} ${url}`);
}

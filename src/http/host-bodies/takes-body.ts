import { applyDecorators, SetMetadata } from '@nestjs/common';

/** Marks the function that Nest hands to the router: this route reads its body itself. */
export const TAKES_BODY = 'flowgate:takes-body';

/** The key under which Nest's adapter for Fastify finds the `config` of a route, as `@RouteConfig` sets it. */
const FASTIFY_ROUTE_CONFIG = '__fastify_route_config__';

/**
 * Marks a route that reads its body itself, and keeps the parsers of the host from it. Does not need the package of
 * the adapter for Fastify, which a host on Express does not have.
 */
export function TakesBody(): MethodDecorator {
  return applyDecorators(
    SetMetadata(TAKES_BODY, true),
    SetMetadata(FASTIFY_ROUTE_CONFIG, { [TAKES_BODY]: true }),
  );
}

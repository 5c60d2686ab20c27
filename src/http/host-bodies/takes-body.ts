import { applyDecorators, SetMetadata } from '@nestjs/common';

/** On the function that Nest hands to the router: this route reads its body itself. */
export const TAKES_BODY = 'flowgate:takes-body';

/** By this key Nest's adapter for Fastify takes what becomes `config` of the route, as `@RouteConfig` sets it. */
const FASTIFY_ROUTE_CONFIG = '__fastify_route_config__';

/**
 * For a route that reads its body by itself: it is kept from the parsers of the host. Without the package of the
 * adapter for Fastify, which a host on Express does not have.
 */
export function TakesBody(): MethodDecorator {
  return applyDecorators(
    SetMetadata(TAKES_BODY, true),
    SetMetadata(FASTIFY_ROUTE_CONFIG, { [TAKES_BODY]: true }),
  );
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { RouteTable, type PathParams } from './route-table.js';

/** A request for which the route has been found. */
export type RoutedRequest = IncomingMessage & { params?: PathParams };

export type RouteHandler = (request: RoutedRequest, response: ServerResponse, next: () => void) => unknown;

/** Express's record of a route, or of something in front of routes. */
interface Layer {
  readonly route?: {
    readonly path: unknown;
    readonly stack: readonly { readonly method?: string; readonly handle: RouteHandler }[];
  };
}

/** The layer that Nest's adapter puts in front for the hooks of a request; without hooks it has no effect. */
const LAYERS_OF_THE_ADAPTER = 1;

/**
 * The routes of an Express application that have nothing in front of them, by method and path. Those after a
 * middleware are left to Express, which alone knows its order.
 */
export function routesInFront(stack: readonly Layer[]): RouteTable<RouteHandler> {
  const table = new RouteTable<RouteHandler>();
  for (const { route } of stack.slice(LAYERS_OF_THE_ADAPTER)) {
    const [handler, ...others] = route?.stack ?? [];
    if (route === undefined || handler?.method === undefined || others.length > 0) break;
    if (typeof route.path !== 'string') break;
    if (!table.add(handler.method.toUpperCase(), route.path, handler.handle)) break;
  }
  return table;
}

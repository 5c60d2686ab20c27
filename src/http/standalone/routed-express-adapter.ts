import type { IncomingMessage } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { RouteTable, type PathParams } from './route-table.js';

export type RouteHandler = Parameters<ExpressAdapter['get']>[1];

/** A request for which the route has been found. */
export type RoutedRequest = IncomingMessage & { params?: PathParams };

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options';
type Route = readonly [path: unknown, ...handlers: RouteHandler[]];
type Application = { readonly [V in Verb | 'all']: (...route: Route) => unknown };

/**
 * Express's adapter, which notes the routes that Nest adds to it, so that they are found without a walk through Express
 * (decision 0100).
 *
 * 1. It reads nothing of Express's own: what Nest adds, it adds by the methods of an adapter, which note it here.
 * 2. A route is found only if nothing was added before it that may respond in its place, or must see its requests.
 *    That route, and all after it, are left to Express, which alone knows the order.
 */
export class RoutedExpressAdapter extends ExpressAdapter {
  private readonly routes = new RouteTable<RouteHandler>();
  private isHooked = false;

  override get(...route: Route): unknown {
    return this.add('get', route);
  }

  override post(...route: Route): unknown {
    return this.add('post', route);
  }

  override put(...route: Route): unknown {
    return this.add('put', route);
  }

  override patch(...route: Route): unknown {
    return this.add('patch', route);
  }

  override delete(...route: Route): unknown {
    return this.add('delete', route);
  }

  override options(...route: Route): unknown {
    return this.add('options', route);
  }

  override all(...route: Route): unknown {
    this.routes.close();
    return this.getInstance<Application>().all(...route);
  }

  override use(...layers: readonly unknown[]): unknown {
    this.routes.close();
    return super.use(...layers);
  }

  override createMiddlewareFactory(
    ...method: Parameters<ExpressAdapter['createMiddlewareFactory']>
  ): ReturnType<ExpressAdapter['createMiddlewareFactory']> {
    this.routes.close();
    return super.createMiddlewareFactory(...method);
  }

  override setOnRequestHook(hook: Parameters<ExpressAdapter['setOnRequestHook']>[0]): void {
    this.isHooked = true;
    super.setOnRequestHook(hook);
  }

  override setOnResponseHook(hook: Parameters<ExpressAdapter['setOnResponseHook']>[0]): void {
    this.isHooked = true;
    super.setOnResponseHook(hook);
  }

  /** The methods of the routes at a path, in whatever spelling Express takes for that path. */
  methodsAt(path: string): readonly string[] {
    return this.routes.methodsAt(path);
  }

  /** The routes that a path without one may stand for, the nearest first, of those that `isThere` lets be named. */
  nearRoutes(method: string, path: string, isThere?: (pattern: string) => boolean): readonly string[] {
    return this.routes.nearTo(method, path, isThere);
  }

  /** The handler of the request, which then has the parameters of its path; null: Express has to find it. */
  protected handlerOf(request: RoutedRequest): RouteHandler | null {
    const { method = '', url = '' } = request;
    const found = this.isHooked ? null : this.routes.find(method, url);
    if (found === null) return null;
    request.params = found.params;
    return found.handler;
  }

  private add(verb: Verb, route: Route): unknown {
    const [path, handler, ...others] = route;
    const isPlain = typeof path === 'string' && handler !== undefined && others.length === 0;
    if (!isPlain || !this.routes.add(verb.toUpperCase(), path, handler)) this.routes.close();
    return this.getInstance<Application>()[verb](...route);
  }
}

import type { IncomingMessage } from 'node:http';
import { RequestMethod } from '@nestjs/common';
import { RoutedExpressAdapter, type RouteHandler } from './routed-express-adapter.js';

const nothing: RouteHandler = () => undefined;
const passOn = (_request: unknown, _response: unknown, next: () => void): void => next();

/** Shows what the adapter finds. */
class OpenedAdapter extends RoutedExpressAdapter {
  found(method: string, url: string): { readonly handler: RouteHandler; readonly params: unknown } | null {
    const request = { method, url } as IncomingMessage & { params?: Readonly<Record<string, string>> };
    const handler = this.handlerOf(request);
    return handler === null ? null : { handler, params: request.params };
  }
}

describe('the routes of an Express application', () => {
  it('are found with the handler that Express would call', () => {
    const adapter = new OpenedAdapter();
    adapter.get('/a/:id', nothing);
    adapter.post('/a/:id', () => undefined);
    expect(adapter.found('GET', '/a/7')).toEqual({ handler: nothing, params: { id: '7' } });
    expect(adapter.found('POST', '/a/7')?.handler).not.toBe(nothing);
  });

  it.each<[string, (adapter: OpenedAdapter) => void]>([
    ['a middleware', (adapter) => adapter.use(passOn)],
    ['a middleware of Nest', (adapter) => adapter.createMiddlewareFactory(RequestMethod.ALL)('/a', nothing)],
    ['a security hook of Nest', (adapter) => adapter.registerSecurityHook(() => undefined)],
    ['a route of two handlers', (adapter) => adapter.get('/two', nothing, nothing)],
    ['a route of all methods', (adapter) => adapter.all('/all', nothing)],
    ['a pattern that only Express reads', (adapter) => adapter.get('/files/*path', nothing)],
    ['a regular expression', (adapter) => adapter.get(/x/, nothing)],
  ])('are left to Express from %s on, which may have its say before them', (_what, add) => {
    const adapter = new OpenedAdapter();
    adapter.get('/before', nothing);
    add(adapter);
    adapter.get('/behind', nothing);
    expect(adapter.found('GET', '/before')).not.toBeNull();
    expect(adapter.found('GET', '/behind')).toBeNull();
  });

  it.each<[string, (adapter: OpenedAdapter) => void]>([
    ['request', (adapter) => adapter.setOnRequestHook((_request, _response, done) => done())],
    ['response', (adapter) => adapter.setOnResponseHook(() => undefined)],
  ])('are all left to Express once there is a hook for each %s', (_what, hook) => {
    const adapter = new OpenedAdapter();
    adapter.get('/before', nothing);
    hook(adapter);
    expect(adapter.found('GET', '/before')).toBeNull();
  });
});

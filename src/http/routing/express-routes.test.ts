import express from 'express';
import { routesInFront } from './express-routes.js';

const nothing = (): void => undefined;

/** An application as Nest's adapter makes it: one layer for its hooks, then whatever comes. */
function application(): ReturnType<typeof express> {
  const app = express();
  app.use((_request, _response, next) => next());
  return app;
}

describe('the routes of an Express application', () => {
  it('are found with the handler that Express would call', () => {
    const app = application();
    app.get('/a/:id', nothing);
    app.post('/a/:id', () => undefined);
    const routes = routesInFront(app.router.stack as never);
    expect(routes.find('GET', '/a/7')).toEqual({ handler: nothing, params: { id: '7' } });
    expect(routes.find('POST', '/a/7')?.handler).not.toBe(nothing);
  });

  it.each<[string, (app: ReturnType<typeof express>) => void]>([
    ['a middleware', (app) => app.use((_request, _response, next) => next())],
    ['a route of two handlers', (app) => app.get('/two', nothing, nothing)],
    ['a route of all methods', (app) => app.all('/all', nothing)],
    ['a pattern that only Express reads', (app) => app.get('/files/*path', nothing)],
    ['a regular expression', (app) => app.get(/x/, nothing)],
  ])('are left to Express from %s on, which may have its say before them', (_what, add) => {
    const app = application();
    app.get('/before', nothing);
    add(app);
    app.get('/behind', nothing);
    const routes = routesInFront(app.router.stack as never);
    expect(routes.find('GET', '/before')).not.toBeNull();
    expect(routes.find('GET', '/behind')).toBeNull();
  });
});

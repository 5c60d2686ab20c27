import type { Service } from '../../support/service.js';

/** What Express keeps of a route. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** Every route that Nest has put into Express, such as `GET /workflows/:id/runs/:runId`. */
export function routesOf({ app }: Service): readonly string[] {
  const { router } = app.getHttpAdapter().getInstance() as {
    readonly router: { readonly stack: readonly Layer[] };
  };
  return router.stack.flatMap(({ route }) =>
    route === undefined
      ? []
      : Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`),
  );
}

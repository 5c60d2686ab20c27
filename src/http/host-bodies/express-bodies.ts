import type { IncomingMessage } from 'node:http';
import { markAsTaken } from './taken-body.js';
import { TAKES_BODY } from './takes-body.js';

/** Express's record of a route. */
interface Layer {
  readonly route?: {
    readonly methods: Readonly<Record<string, boolean>>;
    readonly stack: readonly { readonly handle: object }[];
  };
  match(path: string): boolean;
}

interface ExpressRequest extends IncomingMessage {
  /** The path without the query. */
  readonly path: string;
}

type Middleware = (request: ExpressRequest, response: unknown, next: () => void) => void;

export interface ExpressApplication {
  readonly router?: { readonly stack: readonly Layer[] };
  use(middleware: Middleware): unknown;
}

/**
 * Puts a middleware in front of whatever the host adds later, including its parsers. It asks the router which of our
 * routes a request will come to, because that depends on the global prefix, its exceptions and the versioning of the
 * host.
 */
export function keepFromExpressParsers(application: ExpressApplication): void {
  let layers = 0;
  let ours: readonly Layer[] = [];
  application.use((request, _response, next) => {
    const { stack = [] } = request.method === 'POST' ? (application.router ?? {}) : {};
    if (stack.length !== layers && stack.length > 0) {
      ours = stack.filter(takesBody);
      layers = stack.length;
    }
    if (stack.length > 0 && ours.some((layer) => matches(layer, request.path))) markAsTaken(request);
    next();
  });
}

function takesBody({ route }: Layer): boolean {
  return (
    route?.methods['post'] === true &&
    route.stack.some(({ handle }) => Reflect.getMetadata(TAKES_BODY, handle) === true)
  );
}

/** Does not throw: Express itself reports bad escapes in a path. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}

/** What a route is given; the ids of a path, decoded. */
export type PathParams = Readonly<Record<string, string>>;

export interface FoundRoute<Handler> {
  readonly handler: Handler;
  readonly params: PathParams;
}

interface Route<Handler> {
  readonly segments: readonly Segment[];
  readonly handler: Handler;
}

/** A part of a path: a text, or the name of what stands in its place. */
type Segment = { readonly text: string } | { readonly name: string };

/** Anything but printable ASCII, and what some parsers take for the end or another spelling of a path. */
const ODD = /[^!-~]|[#\\]/;
/** A path whose every segment is a text or one name; everything else that Express allows is Express's. */
const PLAIN_PATTERN = /^(?:\/(?:[\w.-]+|:\w+))+$/;

/**
 * Finds the route of a request by its method, the number of its segments and their texts. Only what is written exactly
 * as the route is found here: other letters, a slash at the end, an escape that is none, or HEAD are left to the router
 * that the routes come from, and so is everything that no route takes. The first of two that fit is taken, as there.
 */
export class RouteTable<Handler> {
  private readonly routes = new Map<string, Route<Handler>[]>();

  /** False where the pattern is not one of those that are understood here. */
  add(method: string, pattern: string, handler: Handler): boolean {
    if (!PLAIN_PATTERN.test(pattern)) return false;
    const segments = pattern
      .slice(1)
      .split('/')
      .map((part): Segment => (part.startsWith(':') ? { name: part.slice(1) } : { text: part }));
    const key = keyOf(method, segments.length);
    const routes = this.routes.get(key);
    if (routes === undefined) this.routes.set(key, [{ segments, handler }]);
    else routes.push({ segments, handler });
    return true;
  }

  find(method: string, url: string): FoundRoute<Handler> | null {
    if (ODD.test(url)) return null;
    const query = url.indexOf('?');
    // What stands before the first slash is empty: a path begins with one.
    const parts = (query === -1 ? url : url.slice(0, query)).split('/');
    if (parts[0] !== '') return null;
    for (const { segments, handler } of this.routes.get(keyOf(method, parts.length - 1)) ?? []) {
      const params = paramsOf(segments, parts);
      if (params === 'malformed') return null;
      if (params !== null) return { handler, params };
    }
    return null;
  }
}

function keyOf(method: string, segments: number): string {
  return `${method} ${segments}`;
}

/** Null: it is another path. */
function paramsOf(segments: readonly Segment[], parts: readonly string[]): PathParams | 'malformed' | null {
  const params: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    const part = parts[i + 1] ?? '';
    if ('text' in segment) {
      if (segment.text !== part) return null;
      continue;
    }
    if (part === '') return null;
    const value = decoded(part);
    if (value === null) return 'malformed';
    params[segment.name] = value;
  }
  return params;
}

function decoded(part: string): string | null {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

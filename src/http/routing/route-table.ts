/** The decoded ids of a path, which a route is given. */
export type PathParams = Readonly<Record<string, string>>;

export interface FoundRoute<Handler> {
  readonly handler: Handler;
  readonly params: PathParams;
}

interface Route<Handler> {
  readonly segments: readonly Segment[];
  readonly handler: Handler;
}

/** A segment of a path: a text, or null and the name of the parameter in its place. */
interface Segment {
  readonly text: string | null;
  readonly name: string;
}

/** Anything but printable ASCII, and what some parsers take for the end or another spelling of a path. */
const ODD = /[^!-~]|[#\\]/;
/** A pattern whose every segment is a text or one parameter; Express handles all other patterns. */
const PLAIN_PATTERN = /^(?:\/(?:[\w.-]+|:\w+))+$/;

const NONE: readonly never[] = [];

/**
 * Finds the route of a request by its method, the number of its segments and their texts. It finds only paths that
 * are written exactly like the route: other letters, a slash at the end, a malformed escape, HEAD, and paths without
 * a route are left to the router that the routes come from. The first of two matching routes is taken, as there.
 */
export class RouteTable<Handler> {
  /** The routes by method, then by the number of segments. */
  private readonly routes = new Map<string, Route<Handler>[][]>();

  /** False if the pattern is not one of those that are understood here. */
  add(method: string, pattern: string, handler: Handler): boolean {
    if (!PLAIN_PATTERN.test(pattern)) return false;
    const segments = pattern
      .slice(1)
      .split('/')
      .map((part) => ({ text: part.startsWith(':') ? null : part, name: part.slice(1) }));
    const ofMethod = this.routes.get(method) ?? [];
    this.routes.set(method, ofMethod);
    (ofMethod[segments.length] ??= []).push({ segments, handler });
    return true;
  }

  find(method: string, url: string): FoundRoute<Handler> | null {
    if (ODD.test(url)) return null;
    const query = url.indexOf('?');
    // A path begins with a slash, so the first part is empty.
    const parts = (query === -1 ? url : url.slice(0, query)).split('/');
    if (parts[0] !== '') return null;
    for (const { segments, handler } of this.routes.get(method)?.[parts.length - 1] ?? NONE) {
      const params = paramsOf(segments, parts);
      if (params === 'malformed') return null;
      if (params !== null) return { handler, params };
    }
    return null;
  }
}

/** Null: it is another path. */
function paramsOf(segments: readonly Segment[], parts: readonly string[]): PathParams | 'malformed' | null {
  const params: Record<string, string> = {};
  // The first part is the empty one before the first slash.
  let i = 1;
  for (const { text, name } of segments) {
    const part = parts[i++] ?? '';
    if (text !== null) {
      if (text !== part) return null;
      continue;
    }
    const value = part === '' ? null : decoded(part);
    if (value === null) return part === '' ? null : 'malformed';
    params[name] = value;
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

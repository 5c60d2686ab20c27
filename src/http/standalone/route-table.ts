import { editDistance } from '../../errors/near-names.js';

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
/** The root, or a pattern whose every segment is a text or one parameter; Express handles all other patterns. */
const PLAIN_PATTERN = /^(?:\/|(?:\/(?:[\w.-]+|:\w+))+)$/;

const NONE: readonly never[] = [];
/** The bounds of what is compared with routes, and of what is named. */
const MOST_PARTS = 10;
const MOST_LETTERS = 64;
const MOST_TYPOS = 3;
const MOST_NAMED = 3;

/**
 * Finds the route of a request by its method, the number of its segments and their texts. It finds only paths that
 * are written exactly like the route: other letters, a slash at the end, a malformed escape, HEAD, and paths without
 * a route are left to the router that the routes come from. The first of two matching routes is taken, as there.
 */
export class RouteTable<Handler> {
  /** The routes that are found, by method, then by the number of segments. */
  private readonly routes = new Map<string, Route<Handler>[][]>();
  /** All routes with their methods, in the order in which they were added. */
  private readonly listed: { readonly method: string; readonly segments: readonly Segment[] }[] = [];
  private isClosed = false;

  /**
   * False if requests for the route are left to the router: its pattern is not one of those that are understood here,
   * or the table is closed.
   */
  add(method: string, pattern: string, handler: Handler): boolean {
    if (!PLAIN_PATTERN.test(pattern)) return false;
    const written = pattern === '/' ? [] : pattern.slice(1).split('/');
    const segments = written.map((part) => ({
      text: part.startsWith(':') ? null : part,
      name: part.slice(1),
    }));
    this.listed.push({ method, segments });
    if (this.isClosed) return false;
    const ofMethod = this.routes.get(method) ?? [];
    this.routes.set(method, ofMethod);
    (ofMethod[segments.length] ??= []).push({ segments, handler });
    return true;
  }

  /** No route that is added from now on is found: the router has something before it that is not known here. */
  close(): void {
    this.isClosed = true;
  }

  find(method: string, url: string): FoundRoute<Handler> | null {
    if (ODD.test(url)) return null;
    const query = url.indexOf('?');
    // A path begins with a slash, so the first part is empty.
    const parts = (query === -1 ? url : url.slice(0, query)).split('/');
    if (parts[0] !== '' || parts.length === 1) return null;
    const count = parts.length === 2 && parts[1] === '' ? 0 : parts.length - 1;
    for (const { segments, handler } of this.routes.get(method)?.[count] ?? NONE) {
      const params = paramsOf(segments, parts);
      if (params === 'malformed') return null;
      if (params !== null) return { handler, params };
    }
    return null;
  }

  /**
   * The routes of a method that a path without one may stand for, such as `POST /workflows/:id/runs`; the nearest first. `isThere`:
   * whether a pattern may be named.
   */
  nearTo(
    method: string,
    path: string,
    isThere: (pattern: string) => boolean = () => true,
  ): readonly string[] {
    const parts = partsOf(path);
    if (parts[0] === undefined || parts[0] === '' || parts.length > MOST_PARTS) return [];
    const near = this.listed.flatMap((route) => {
      const distance = route.method === method ? distanceOf(route.segments, parts) : null;
      const pattern = patternOf(route.segments);
      return distance === null || !isThere(pattern) ? [] : [{ distance, name: `${method} ${pattern}` }];
    });
    near.sort((a, b) => a.distance - b.distance);
    return [...new Set(near.map(({ name }) => name))].slice(0, MOST_NAMED);
  }

  /** The methods of all routes at a path, in their order: also in other letters, and with a slash at the end. */
  methodsAt(path: string): readonly string[] {
    const parts = partsOf(path);
    const methods = this.listed.filter(({ segments }) => isLike(segments, parts)).map(({ method }) => method);
    return [...new Set(methods)];
  }
}

/**
 * How far a route is from a path: 0 where one begins or ends with the other, else the number of typos; null where it cannot be
 * meant. `parts` are in lower case.
 */
function distanceOf(segments: readonly Segment[], parts: readonly string[]): number | null {
  const more = segments.length - parts.length;
  if (more > 0) {
    const isBeginning = more === 1 && isLike(segments.slice(0, parts.length), parts);
    const end = segments.slice(more);
    return isBeginning || (end[0]?.text !== null && isLike(end, parts)) ? 0 : null;
  }
  if (more < 0) return null;
  let typos = 0;
  for (const [index, { text }] of segments.entries()) {
    const part = parts[index] ?? '';
    if (text === null || part.length > MOST_LETTERS) continue;
    typos += editDistance(part, text.toLowerCase());
  }
  return typos > 0 && typos <= MOST_TYPOS ? typos : null;
}

/** `parts` are in lower case. */
function isLike(segments: readonly Segment[], parts: readonly string[]): boolean {
  if (segments.length !== parts.length) return false;
  return segments.every(({ text }, index) =>
    text === null ? parts[index] !== '' : text.toLowerCase() === parts[index],
  );
}

/** In lower case. */
function partsOf(path: string): readonly string[] {
  const [, ...parts] = (path.endsWith('/') ? path.slice(0, -1) : path).toLowerCase().split('/');
  return parts;
}

function patternOf(segments: readonly Segment[]): string {
  return segments.map(({ text, name }) => `/${text ?? `:${name}`}`).join('');
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

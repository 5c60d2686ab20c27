/** A list is a parameter that is repeated; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Where a service is: an origin and, behind a proxy, a path in front of ours. */
export class ServiceAddress {
  /** Without a slash at its end. */
  readonly #base: string;

  /** Throws a `TypeError` that says what to write instead. */
  constructor(baseUrl: unknown) {
    if (typeof baseUrl !== 'string' || baseUrl === '') {
      throw new TypeError(
        'baseUrl is no address: write http://127.0.0.1:8787, or leave it out to run in process',
      );
    }
    const url = parsed(baseUrl);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) {
      throw new TypeError(
        'baseUrl is no address of HTTP: write it with its scheme, as in http://127.0.0.1:8787',
      );
    }
    if (url.username !== '' || url.password !== '') {
      throw new TypeError('baseUrl must not hold a user or a password: send them in headers.authorization');
    }
    if (url.search !== '' || url.hash !== '') {
      throw new TypeError('baseUrl must end with its path: leave out what begins with ? or #');
    }
    this.#base = url.origin + url.pathname.replace(/\/+$/, '');
  }

  /** `segments` are encoded, so that an id may hold anything that an address can carry. */
  of(segments: readonly string[], query: Query = {}): string {
    const path = segments.map((segment) => `/${encodedSegment(segment)}`).join('');
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      valuesOf(value).map((one) => `${name}=${encodeURIComponent(one)}`),
    );
    return this.#base + path + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
  }

  toString(): string {
    return this.#base;
  }
}

function valuesOf(value: Query[string]): readonly (string | number | boolean)[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? value : [value];
}

/** Whoever sends an address resolves `.` and `..` first, also as `%2e`: such a segment never arrives. */
function encodedSegment(segment: string): string {
  if (segment === '.' || segment === '..') {
    throw new TypeError(
      `The id ${segment} cannot be sent: addresses take it for a folder. Give the workflow another id`,
    );
  }
  return encodeURIComponent(segment);
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

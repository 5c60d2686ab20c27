import { InvalidRequestError } from '../errors/request-errors.js';

interface Range {
  readonly least: number;
  /** More is cut to it. */
  readonly most: number;
  readonly fallback: number;
}

/** The query of an address, read by us: what `q[a]=1` or `%zz` means must not depend on a host's settings. */
export class Query {
  private readonly values = new Map<string, string[]>();

  /** Throws an `InvalidRequestError` for a malformed percent escape. */
  constructor(url: string) {
    const start = url.indexOf('?');
    if (start === -1) return;
    for (const pair of url.slice(start + 1).split('&')) {
      const [name = '', ...rest] = pair.split('=');
      const key = decoded(name);
      const value = decoded(rest.join('='));
      const others = this.values.get(key);
      if (others === undefined) this.values.set(key, [value]);
      else others.push(value);
    }
  }

  /** Null when absent. */
  text(name: string): string | null {
    const [value = null, ...others] = this.values.get(name) ?? [];
    if (others.length > 0) throw new InvalidRequestError(`${name} is given more than once: send one`);
    return value;
  }

  wholeNumber(name: string, { least, most, fallback }: Range): number {
    const given = this.text(name);
    if (given === null) return fallback;
    if (!/^\d+$/.test(given) || Number(given) < least) {
      throw new InvalidRequestError(`${name} must be a whole number of at least ${least}`);
    }
    return Math.min(Number(given), most);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new InvalidRequestError('The query holds a malformed percent escape: write % as %25');
  }
}

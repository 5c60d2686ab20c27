import { InvalidRequestError } from '../errors/request-errors.js';
import { nearMisses } from './near-misses.js';
import { misplacedParameters } from './query-words.js';

interface Range {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
  /** More than `most` is refused. Default: it is cut to it. */
  readonly isStrict?: boolean;
}

/** `limit` of every list of `{items, next}`. */
export const LIST_LIMIT: Range = { least: 1, most: 200, fallback: 50, isStrict: true };

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

  /**
   * Others are ignored, but for near misses of these, and for what would filter or order a list elsewhere: an
   * `InvalidRequestError` then.
   */
  expectOnly(known: readonly string[]): void {
    const misses = nearMisses(Object.fromEntries(this.values), known, 'parameter here');
    const missed = new Set(misses.map(({ path }) => path));
    const names = [...this.values.keys()].filter((name) => !missed.has(name));
    const faults = [...misses, ...misplacedParameters(names, known)];
    if (faults.length > 0) throw InvalidRequestError.naming(faults);
  }

  /** Null when absent. */
  text(name: string): string | null {
    const [value = null, ...others] = this.values.get(name) ?? [];
    if (others.length > 0) throw new InvalidRequestError(`${name} is given more than once: send one`);
    return value;
  }

  /** Of a parameter that may be given several times. */
  texts(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** Null when absent. */
  flag(name: string): boolean | null {
    const given = this.text(name);
    if (given === null || given === 'true' || given === 'false')
      return given === null ? null : given === 'true';
    throw new InvalidRequestError(`${name} must be true or false`);
  }

  wholeNumber(name: string, { least, most, fallback, isStrict = false }: Range): number {
    const given = this.text(name);
    if (given === null) return fallback;
    if (!/^\d+$/.test(given) || Number(given) < least || (isStrict && Number(given) > most)) {
      const bounds = isStrict ? `from ${least} to ${most}` : `of at least ${least}`;
      throw new InvalidRequestError(`${name} must be a whole number ${bounds}`);
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

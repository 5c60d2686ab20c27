import { LIST_PAGE, type PageLimit } from '../../engine/request-limits.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import { nearMisses } from '../validation/near-misses.js';
import { misplacedParameters } from './query-words.js';

interface Range extends PageLimit {
  /** More than `most` is refused. Default: the value is reduced to `most`. */
  readonly isStrict?: boolean;
}

/** The `limit` of every list of `{items, next}`. */
export const LIST_LIMIT: Range = { ...LIST_PAGE, isStrict: true };

/**
 * The query of an address. We parse it ourselves, because the meaning of `q[a]=1` or `%zz` must not depend on a
 * host's settings.
 */
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
   * Throws an `InvalidRequestError` for near misses of the known parameters, and for those that would filter or order
   * a list in other APIs. Other unknown parameters are ignored.
   */
  expectOnly(known: readonly string[]): void {
    const misses = nearMisses(Object.fromEntries(this.values), known, 'parameter here');
    const missed = new Set(misses.map(({ path }) => path));
    const names = [...this.values.keys()].filter((name) => !missed.has(name));
    const faults = [...misses, ...misplacedParameters(names, known)];
    if (faults.length > 0) throw InvalidRequestError.naming(faults);
  }

  /** Null if absent. */
  text(name: string): string | null {
    const [value = null, ...others] = this.values.get(name) ?? [];
    if (others.length > 0) throw new InvalidRequestError(`${name} is given more than once: send one`);
    return value;
  }

  /** The values of a parameter that may be given several times. */
  texts(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** Null if absent. */
  flag(name: string): boolean | null {
    const given = this.text(name);
    if (given === null || given === 'true' || given === 'false')
      return given === null ? null : given === 'true';
    throw new InvalidRequestError(`${name} must be true or false`);
  }

  wholeNumber(name: string, { least, most, usual, isStrict = false }: Range): number {
    const given = this.text(name);
    if (given === null) return usual;
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

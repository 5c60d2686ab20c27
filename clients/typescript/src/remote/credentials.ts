import type { TokenSource } from '../options.js';

/** What can stand behind `Bearer` (RFC 6750), without the bounds that the service has. */
const TOKEN = /^[\x21-\x7E]{1,16384}$/;
/** A shorter one may be a word of an answer by chance. */
const MIN_REDACTED_CHARS = 8;
const REDACTED = '[token]';

/**
 * What says who is asking. What a function gives is remembered until the service refuses it; then the function is asked again,
 * once for all who wait.
 *
 * The token is private, so that nothing that is printed shows it.
 */
export class Credentials {
  readonly #source: TokenSource | undefined;
  #given: Promise<string> | null = null;
  #known: string | undefined;
  #edition = 0;

  /** Throws a `TypeError`, which never names the token. */
  constructor(source: unknown) {
    if (source !== undefined && typeof source !== 'function') this.#known = checked(source);
    this.#source = source as TokenSource | undefined;
  }

  /** Which of the tokens that came one after the other this is. */
  get edition(): number {
    return this.#edition;
  }

  /** Whether there may be another one. */
  get isRenewable(): boolean {
    return typeof this.#source === 'function';
  }

  /** Rejects with what the function throws, with a `TypeError` for what is no token, or with the signal's reason. */
  async token(signal: AbortSignal): Promise<string | undefined> {
    if (typeof this.#source !== 'function') return this.#source;
    const given = (this.#given ??= this.#ask(this.#source));
    try {
      return await unlessAborted(given, signal);
    } catch (error) {
      // Also where nobody waited any longer: a function that hangs is asked anew by whoever comes next.
      if (this.#given === given) this.#given = null;
      throw error;
    }
  }

  /** The token of that edition is no longer good. */
  refused(edition: number): void {
    if (edition !== this.#edition) return;
    this.#edition += 1;
    this.#given = null;
  }

  /** A text that somebody answered, without the token that they were sent. */
  redacted(text: string): string {
    const token = this.#known;
    return token === undefined || token.length < MIN_REDACTED_CHARS ? text : text.replaceAll(token, REDACTED);
  }

  /** What to do about a token that was refused. */
  get advice(): string {
    if (this.#source === undefined) return 'Give the client a token';
    return this.isRenewable
      ? 'The function that the client has as its token gave one that is not good'
      : 'The token that the client has is not good: give it another one, or a function that gets one whenever it is needed';
  }

  async #ask(source: () => string | Promise<string>): Promise<string> {
    const token = checked(await source());
    this.#known = token;
    return token;
  }
}

function checked(token: unknown): string {
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  throw new TypeError(
    'token must be a text of visible characters without spaces, or a function that gives one: what stands behind Bearer',
  );
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

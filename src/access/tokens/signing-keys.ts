import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type CryptoKey,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import type { Clock, EngineLogger } from '../../engine/index.js';
import { Semaphore } from '../../engine/scheduling/semaphore.js';
import { AuthUnavailableError, UnauthorizedError } from '../../errors/access-errors.js';
import { messageOf } from '../../errors/flowgate-error.js';
import { discoveryUrl, keySetUrl } from './discovery.js';
import { IssuerHttp } from './issuer-http.js';

const TIMEOUT_MS = 5_000;
/** So long after the keys were read no unknown key makes them be read again. */
const COOL_DOWN_MS = 30_000;
const MAX_AGE_MS = 24 * 60 * 60_000;
const RELOAD_EVERY_MS = 10 * 60_000;
/** An issuer that did not answer is left alone for so long, however many tokens come. */
const RETRY_AFTER_MS = 5_000;
/** Whoever waits for the issuer must not wait in front of those whose keys are known. */
const WAITING_AT_ONCE = 16;
const MAX_WAITING = 256;

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;
type LocalKeys = ReturnType<typeof createLocalJWKSet>;

export interface SigningKeyParts {
  readonly issuer: string;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * The signing keys of an issuer.
 *
 * 1. What is known of them holds for 24 h while the issuer is down; without anything known, nobody can be told.
 * 2. A key that is not known makes them be read again, at most once in 30 s after they were read, in 5 s after they could not be.
 * 3. The address of the keys is that of the document of the issuer; another one counts once keys were read there.
 */
export class SigningKeys {
  private readonly http = new IssuerHttp();
  private readonly waiting = new Semaphore(WAITING_AT_ONCE, {
    name: 'issuer of tokens',
    maxWaiting: MAX_WAITING,
  });
  private remote: { readonly url: string; readonly keys: RemoteKeys } | null = null;
  /** The same keys, for looking without ever asking the issuer. */
  private local: LocalKeys | null = null;
  private discovering: Promise<RemoteKeys> | null = null;
  private failedAt = -Infinity;
  private isReported = false;
  private isOpen = false;
  private cancel: () => void = () => undefined;

  constructor(private readonly parts: SigningKeyParts) {}

  /** Reads the keys. Does not reject where the issuer is down: they are read once it is back. */
  async open(): Promise<void> {
    this.isOpen = true;
    await this.reload();
    this.reloadLater();
  }

  async close(): Promise<void> {
    this.isOpen = false;
    this.cancel();
    await this.http.close();
  }

  /** The key that a token says it is signed with. Rejects with an `UnauthorizedError`, `AuthUnavailableError` or `BusyError`. */
  async keyFor(header: JWSHeaderParameters, address: string): Promise<CryptoKey> {
    const known = await this.knownKey(header);
    if (known !== null) return known;
    return this.waiting.run(() => this.askedKey(header), { caller: address });
  }

  /** Null: it may be one that the issuer has now. */
  private async knownKey(header: JWSHeaderParameters): Promise<CryptoKey | null> {
    const remote = this.remote?.keys;
    if (remote?.fresh !== true || this.local === null) return null;
    try {
      return await this.local(header);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey && !remote.coolingDown) return null;
      throw refusal(error);
    }
  }

  private async askedKey(header: JWSHeaderParameters): Promise<CryptoKey> {
    try {
      const keys = this.remote?.keys ?? (await this.discover());
      return await keys(header);
    } catch (error) {
      const told = refusal(error);
      if (told instanceof AuthUnavailableError) this.report(messageOf(error));
      throw told;
    }
  }

  private discover(): Promise<RemoteKeys> {
    this.discovering ??= this.readDocument().finally(() => (this.discovering = null));
    return this.discovering;
  }

  private async readDocument(): Promise<RemoteKeys> {
    const { issuer } = this.parts;
    const url = await this.attempt(async () => keySetUrl(await this.http.read(discoveryUrl(issuer)), issuer));
    if (this.remote?.url === url.href) return this.remote.keys;
    const keys = createRemoteJWKSet(url, {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: COOL_DOWN_MS,
      cacheMaxAge: MAX_AGE_MS,
      [customFetch]: () => this.attempt(() => this.readKeys(url)),
    });
    await keys.reload();
    this.remote = { url: url.href, keys };
    return keys;
  }

  private async readKeys(url: URL): Promise<Response> {
    const text = await this.http.read(url);
    this.local = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
    this.report(null);
    return new Response(text, { status: 200 });
  }

  private async attempt<Result>(read: () => Promise<Result>): Promise<Result> {
    const { clock } = this.parts;
    if (clock.now() - this.failedAt < RETRY_AFTER_MS)
      throw new Error('The issuer could not be read a moment ago.');
    try {
      return await read();
    } catch (error) {
      this.failedAt = clock.now();
      throw error;
    }
  }

  /** Reads the document and the keys again, and says once when that does not work, and when it does again. */
  private async reload(): Promise<void> {
    try {
      const before = this.remote?.keys;
      const keys = await this.discover();
      if (keys === before) await keys.reload();
    } catch (error) {
      this.report(messageOf(error));
    }
  }

  private reloadLater(): void {
    const { clock } = this.parts;
    if (!this.isOpen) return;
    const reload = (): void => void this.reload().then(() => this.reloadLater());
    this.cancel = clock.schedule(clock.now() + RELOAD_EVERY_MS, reload, true);
  }

  private report(error: string | null): void {
    if (!this.isOpen || (error !== null) === this.isReported) return;
    this.isReported = error !== null;
    const { issuer, logger } = this.parts;
    if (error === null) logger.info('The signing keys of the issuer can be read again', { issuer });
    else
      logger.error(
        'The signing keys of the issuer cannot be read: tokens are checked with those that are known, for 24 hours, else refused with 503',
        { issuer, error },
      );
  }
}

/** What of a token makes it wrong is the token's fault, everything else is the issuer's. */
function refusal(error: unknown): Error {
  if (error instanceof errors.JWKSNoMatchingKey)
    return new UnauthorizedError('it is signed with a key that the issuer does not have');
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return new UnauthorizedError('it does not say which of several keys it is signed with (kid)');
  if (error instanceof errors.JOSENotSupported)
    return new UnauthorizedError('its algorithm is not supported');
  return new AuthUnavailableError('The issuer of tokens', { cause: error });
}

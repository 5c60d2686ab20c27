import type { Clock, EngineLogger } from '../../engine/index.js';
import { messageOf } from '../../errors/flowgate-error.js';
import type { SignIn, SignInEndpoints } from '../../http/access/sign-in.js';
import { discoveryUrl, signInEndpoints } from './discovery.js';
import { IssuerHttp } from './issuer-http.js';

const READ_EVERY_MS = 10 * 60_000;
/** A provider that did not answer is left alone for so long, however many pages are opened. */
const RETRY_AFTER_MS = 5_000;
/** Without one a provider that follows OpenID Connect takes nobody. */
const LEAST_SCOPES = ['openid'];

export interface SignInProviderParts {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * Where people sign in, read of the provider when a page asks for it.
 *
 * 1. What is known holds while the provider is down, and while it is read again.
 * 2. However many ask, it is read by one of them, and after a failure no sooner than 5 s later.
 */
export class SignInProvider implements SignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  private readonly http = new IssuerHttp();
  private known: SignInEndpoints | null = null;
  private reading: Promise<void> | null = null;
  private dueAt = -Infinity;
  private isReported = false;

  constructor(private readonly parts: SignInProviderParts) {
    const { issuer, clientId, scopes } = parts;
    this.issuer = issuer;
    this.clientId = clientId;
    this.scopes = scopes.length === 0 ? LEAST_SCOPES : scopes;
  }

  async endpoints(): Promise<SignInEndpoints | null> {
    if (this.reading === null && this.parts.clock.now() >= this.dueAt)
      this.reading = this.read().finally(() => (this.reading = null));
    if (this.known === null) await this.reading;
    return this.known;
  }

  close(): Promise<void> {
    return this.http.close();
  }

  /** Does not reject. */
  private async read(): Promise<void> {
    const { issuer, clock } = this.parts;
    try {
      this.known = signInEndpoints(await this.http.read(discoveryUrl(issuer)), issuer);
      this.dueAt = clock.now() + READ_EVERY_MS;
      this.isReported = false;
    } catch (error) {
      this.dueAt = clock.now() + RETRY_AFTER_MS;
      this.report(messageOf(error));
    }
  }

  private report(error: string): void {
    if (this.isReported) return;
    this.isReported = true;
    const { issuer, logger } = this.parts;
    logger.error('Nobody can sign in to the console: the document of the issuer cannot be used', {
      issuer,
      error,
    });
  }
}

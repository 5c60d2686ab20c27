import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type CryptoKey } from 'jose';
import type { Clock, EngineLogger } from '../../engine/index.js';
import { Semaphore } from '../../engine/scheduling/semaphore.js';
import { UnauthorizedError } from '../../errors/access-errors.js';
import type { OidcOptions } from '../access-options.js';
import { SigningKeys } from './signing-keys.js';
import { tokenClaims, type TokenClaims } from './token-claims.js';

const SIGNATURES_AT_ONCE = 16;
const MAX_WAITING = 256;
const SKEW_SECONDS = 30;

export interface OidcParts {
  readonly options: OidcOptions;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * Checks the tokens of an issuer.
 *
 * 1. A token is refused for what it says before its signature is looked at: a false one costs as little as can be.
 * 2. What counts is what it says once its signature holds.
 * 3. Signatures are checked in rounds of those who send them: many false ones of one address do not keep the others waiting.
 */
export class OidcTokens {
  private readonly keys: SigningKeys;
  private readonly signatures = new Semaphore(SIGNATURES_AT_ONCE, {
    name: 'check of tokens',
    maxWaiting: MAX_WAITING,
  });

  constructor(private readonly parts: OidcParts) {
    const { options, clock, logger } = parts;
    this.keys = new SigningKeys({ issuer: options.issuer, clock, logger });
  }

  open(): Promise<void> {
    return this.keys.open();
  }

  close(): Promise<void> {
    return this.keys.close();
  }

  /** Rejects with an `UnauthorizedError`, an `AuthUnavailableError` or a `BusyError`. `address`: whose turn it is. */
  async check(text: string, address: string): Promise<TokenClaims> {
    const { header, payload } = decoded(text);
    this.claimsOf(header, payload);
    const key = await this.keys.keyFor(header, address);
    const verified = await this.signatures.run(() => this.verified(text, key), { caller: address });
    return this.claimsOf(verified.protectedHeader, verified.payload);
  }

  private claimsOf(
    header: Readonly<Record<string, unknown>>,
    payload: Readonly<Record<string, unknown>>,
  ): TokenClaims {
    const claims = tokenClaims(header, payload, this.parts.options, this.parts.clock.wallTime());
    if (typeof claims === 'string') throw new UnauthorizedError(`the token is refused: ${claims}`);
    return claims;
  }

  private async verified(text: string, key: CryptoKey): ReturnType<typeof jwtVerify> {
    const { issuer, audience, algorithms } = this.parts.options;
    try {
      return await jwtVerify(text, key, {
        issuer,
        audience: [...audience],
        algorithms: [...algorithms],
        requiredClaims: ['exp', 'iat'],
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.parts.clock.wallTime()),
      });
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed)
        throw new UnauthorizedError('the token is refused: its signature is wrong');
      // Each error of jose, and of the cryptography below it, is about the token: nothing else is asked here.
      throw new UnauthorizedError('the token is refused: it is malformed');
    }
  }
}

function decoded(text: string) {
  try {
    return { header: decodeProtectedHeader(text), payload: decodeJwt(text) };
  } catch {
    throw new UnauthorizedError('the token is malformed');
  }
}

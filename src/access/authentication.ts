import { hash } from 'node:crypto';
import type { AccessStore, Principal, StoredKey } from '../engine/index.js';
import { AuthUnavailableError, UnauthorizedError } from '../errors/access-errors.js';
import { FlowgateError } from '../errors/flowgate-error.js';
import type { Authenticator, Credentials } from './authenticator.js';
import type { ChangeWatch } from './change-watch.js';
import { bearerOf } from './credentials.js';
import type { AccessRules } from './grants/access-rules.js';
import { BOOTSTRAP_PRINCIPAL } from './keys/bootstrap.js';
import type { KeyLookup } from './keys/key-lookup.js';
import { isSameHash, KEY_PREFIX } from './keys/key-text.js';
import type { KeyUses } from './keys/key-uses.js';
import { managerRoles } from './keys/stored-api-keys.js';
import type { Remembered } from './remembered.js';
import type { OidcTokens } from './tokens/oidc-tokens.js';
import { CLOCK_SKEW_MS } from './tokens/token-claims.js';

/** Whom credentials are of. */
export interface Found {
  readonly principal: Principal;
  /** Null: it was a token. */
  readonly key: StoredKey | null;
}

export interface KeyAuthentication {
  readonly lookup: KeyLookup;
  readonly uses: KeyUses;
  readonly bootstrapKeySha256: string | null;
}

export interface AuthenticationParts {
  readonly store: Pick<AccessStore, 'ownerRevokedAt' | 'hasLiveManager'>;
  readonly watch: ChangeWatch;
  readonly remembered: Remembered<Found>;
  readonly rules: () => AccessRules;
  /** The wall clock, epoch ms. */
  readonly now: () => number;
  /** Null: keys are refused. */
  readonly keys: KeyAuthentication | null;
  /** Null: tokens are refused. */
  readonly tokens: Pick<OidcTokens, 'check'> | null;
  readonly observe: (changed: () => void) => () => void;
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The shortest text that counts as the bootstrap key: of a shorter one its hash would tell what it is. */
const MIN_BOOTSTRAP_CHARS = 32;
const MAX_BOOTSTRAP_CHARS = 256;

/**
 * Finds out who is asking, by keys and tokens.
 *
 * 1. Nothing is answered from memory, and nothing at all, while it is not known that keys and revocations are as they were.
 * 2. What cannot be found out is never a yes: a store or an issuer that does not answer is a 503.
 * 3. Credentials stand in no error, no log line and no memory: only their hash is kept.
 */
export class Authentication implements Authenticator {
  constructor(private readonly parts: AuthenticationParts) {}

  open(): Promise<void> {
    return this.parts.open();
  }

  close(): Promise<void> {
    return this.parts.close();
  }

  observe(changed: () => void): () => void {
    return this.parts.observe(changed);
  }

  reliedOnUntil(): number {
    return this.parts.watch.freshUntil;
  }

  authenticate({ authorization, address }: Credentials): Principal | Promise<Principal> {
    const text = bearerOf(authorization);
    const textHash = hash('sha256', text, 'hex');
    const { watch } = this.parts;
    const known = watch.isFresh ? this.recall(textHash) : null;
    return known ?? this.find(text, textHash, address);
  }

  private recall(textHash: string): Principal | null {
    const found = this.parts.remembered.get(textHash);
    if (found === undefined) return null;
    if (found.key !== null) this.parts.keys?.uses.note(found.key);
    return found.principal;
  }

  private async find(text: string, textHash: string, address: string): Promise<Principal> {
    const { watch, remembered } = this.parts;
    await watch.refresh();
    const known = this.recall(textHash);
    if (known !== null) return known;
    const { age } = remembered;
    try {
      if (await this.isBootstrapKey(text, textHash)) return BOOTSTRAP_PRINCIPAL;
      const { expiresAt, ...found } = await this.identify(text, address);
      remembered.set(textHash, found, { age, expiresAt });
      if (found.key !== null) this.parts.keys?.uses.note(found.key);
      return found.principal;
    } catch (error) {
      if (error instanceof FlowgateError && error.code !== 'store') throw error;
      throw new AuthUnavailableError('The store of keys', { cause: error });
    }
  }

  /** Never remembered: it is over as soon as a key lives that manages keys. */
  private async isBootstrapKey(text: string, textHash: string): Promise<boolean> {
    const { keys, store, rules, now } = this.parts;
    const expected = keys?.bootstrapKeySha256 ?? null;
    if (expected === null || !isSameHash(expected, textHash)) return false;
    if (text.length < MIN_BOOTSTRAP_CHARS || text.length > MAX_BOOTSTRAP_CHARS)
      throw new UnauthorizedError('the bootstrap key must have 32 to 256 characters');
    if (await store.hasLiveManager({ roles: managerRoles(rules().roles), now: now() }))
      throw new UnauthorizedError('the bootstrap key is of no use while a key lives that manages keys');
    return true;
  }

  private async identify(text: string, address: string) {
    const { keys, tokens } = this.parts;
    if (text.startsWith(KEY_PREFIX)) {
      if (keys === null) throw new UnauthorizedError('keys are not taken here');
      return keys.lookup.find(text, address);
    }
    if (tokens === null) throw new UnauthorizedError('tokens are not taken here');
    return this.identifyToken(await tokens.check(text, address));
  }

  private async identifyToken(claims: Awaited<ReturnType<OidcTokens['check']>>) {
    const { store, rules } = this.parts;
    const { id, owner, name, groups, issuedAt, expiresAt } = claims;
    const revokedAt = await store.ownerRevokedAt({ owner });
    // One that says so much later may have been issued before, by a clock that is ahead: it must not outlive the revocation.
    if (revokedAt !== null && issuedAt <= revokedAt + CLOCK_SKEW_MS)
      throw new UnauthorizedError('the tokens of the owner were revoked');
    const grants = rules().grantsOf({ owner, groups });
    const principal: Principal = {
      id,
      owner,
      ...(name !== null && { name }),
      groups,
      grants,
      auth: 'jwt',
      expiresAt,
    };
    return { principal, key: null, expiresAt };
  }
}

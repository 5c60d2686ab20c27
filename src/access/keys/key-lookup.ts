import type { AccessStore, Clock, Principal, StoredKey } from '../../engine/index.js';
import { Semaphore } from '../../engine/scheduling/semaphore.js';
import { UnauthorizedError } from '../../errors/access-errors.js';
import type { AccessRules } from '../grants/access-rules.js';
import { grantsOfKey, lineageOf } from './key-lineage.js';
import { hashOfKey, isSameHash, parseKey } from './key-text.js';

/** False keys must not take the whole store, nor the time of those who come with right ones. */
const LOOKUPS_AT_ONCE = 16;
const MAX_WAITING = 256;

export interface FoundKey {
  readonly principal: Principal;
  readonly key: StoredKey;
  /** Until when the answer holds by itself, epoch ms: the key's, or that of the secret before a rotation. */
  readonly expiresAt: number;
}

export interface KeyLookupParts {
  readonly store: Pick<AccessStore, 'findKey'>;
  readonly clock: Clock;
  readonly rules: () => AccessRules;
}

/** Finds out whose key a text is. */
export class KeyLookup {
  private readonly lookups = new Semaphore(LOOKUPS_AT_ONCE, {
    name: 'lookup of keys',
    maxWaiting: MAX_WAITING,
  });

  constructor(private readonly parts: KeyLookupParts) {}

  /** Rejects with an `UnauthorizedError` or a `BusyError`, else as the store does. `address`: whose turn it is. */
  async find(text: string, address: string): Promise<FoundKey> {
    const key = parseKey(text);
    if (key === null) throw new UnauthorizedError('the key is malformed');
    return this.lookups.run(() => this.findById(key), { caller: address });
  }

  private async findById({ id, text }: { readonly id: string; readonly text: string }): Promise<FoundKey> {
    const { store, clock, rules } = this.parts;
    const now = (): number => clock.wallTime();
    const key = await store.findKey({ id });
    if (key === null) throw new UnauthorizedError('there is no such key');
    const secretEndsAt = endOfSecret(key, hashOfKey(text));
    if (secretEndsAt === null) throw new UnauthorizedError('the secret of the key is wrong');
    if (secretEndsAt <= now()) throw new UnauthorizedError('the secret was replaced');
    if (key.revokedAt !== null) throw new UnauthorizedError('the key was revoked');
    if (key.expiresAt <= now()) throw new UnauthorizedError('the key has expired');
    const lineage = await lineageOf(key, { store, now });
    if (lineage === null) throw new UnauthorizedError('the key that made the key is not valid any more');
    return {
      key,
      expiresAt: Math.min(secretEndsAt, ...lineage.map(({ expiresAt }) => expiresAt)),
      principal: {
        id: key.id,
        owner: key.owner,
        ...(key.name !== null && { name: key.name }),
        groups: key.groups,
        grants: grantsOfKey(lineage, rules()),
        auth: 'key',
        expiresAt: key.expiresAt,
      },
    };
  }
}

/** Until when the secret with that hash is good; null: it is not one of the key's. Both are compared, whichever it is. */
function endOfSecret({ secretHash, formerHash, formerUntil }: StoredKey, hash: string): number | null {
  const isCurrent = isSameHash(secretHash, hash);
  const isFormer = isSameHash(formerHash ?? '', hash);
  if (isCurrent) return Infinity;
  return isFormer ? (formerUntil ?? -Infinity) : null;
}

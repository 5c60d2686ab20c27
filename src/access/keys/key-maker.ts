import type { AccessStore, KeyMakerToken, Principal, StoredKey } from '../../engine/index.js';
import { REVOCATION_SPREAD_MS } from '../../engine/ports/access/access-store.js';
import { ForbiddenError, UnauthorizedError } from '../../errors/access-errors.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import { isBootstrap } from './bootstrap.js';
import { lineageOf, MAX_MAKERS } from './key-lineage.js';

/** On whom a new key depends. */
export type MakerOfKey = Pick<StoredKey, 'madeByKey' | 'madeByToken' | 'madeBy'>;

/** `standsByItself`: whoever makes it may manage keys, and it outlives theirs. */
export function makerOf(by: Principal, standsByItself: boolean): MakerOfKey {
  if (isBootstrap(by)) return { madeByKey: null, madeByToken: null, madeBy: null };
  const maker = { madeByKey: null, madeByToken: null, madeBy: by.owner };
  if (standsByItself) return maker;
  switch (by.auth) {
    case 'key':
      return { ...maker, madeByKey: by.id };
    case 'jwt': {
      const madeByToken: KeyMakerToken = { owner: by.owner, groups: by.groups };
      return { ...maker, madeByToken };
    }
    case 'host':
      // What its host grants to them can change, and no key would learn of it.
      throw new ForbiddenError('key:manage', null);
  }
}

export interface MakerCheck {
  readonly store: Pick<AccessStore, 'findKey' | 'ownerRevokedAt' | 'hasLiveManager'>;
  /** The wall clock, epoch ms. */
  readonly now: () => number;
  readonly managerRoles: () => readonly string[];
}

/**
 * Asks the store itself whether the maker is still good: a replica may have let them in up to 5 s after they were revoked, and
 * what they got then would outlive it. Rejects with an `UnauthorizedError`.
 */
export async function assertStillGood(by: Principal, check: MakerCheck): Promise<void> {
  const { store, now } = check;
  if (isBootstrap(by)) {
    if (await store.hasLiveManager({ roles: check.managerRoles(), now: now() }))
      throw new UnauthorizedError('the bootstrap key is of no use while a key lives that manages keys');
    return;
  }
  if (by.expiresAt !== null && by.expiresAt <= now()) throw new UnauthorizedError('it has expired');
  if (by.auth === 'key') {
    const key = await store.findKey({ id: by.id });
    const lineage = key === null ? null : await lineageOf(key, check);
    if (lineage === null) throw new UnauthorizedError('the key is not valid any more');
    return;
  }
  const revokedAt = await store.ownerRevokedAt({ owner: by.owner });
  if (revokedAt !== null && now() - revokedAt < REVOCATION_SPREAD_MS)
    throw new UnauthorizedError('the tokens of the owner were revoked just now');
}

/** Throws an `InvalidRequestError` where too many keys stand above a new one. Resolves otherwise. */
export async function assertMayHaveHeirs(by: Principal, { store, now }: MakerCheck): Promise<void> {
  const key = by.auth === 'key' ? await store.findKey({ id: by.id }) : null;
  const lineage = key === null ? null : await lineageOf(key, { store, now });
  if ((lineage?.length ?? 0) >= MAX_MAKERS)
    throw new InvalidRequestError(
      `This key was made by a key that was made by a key, ${MAX_MAKERS} in all: make the new one with one of the first`,
    );
}

import type { AccessStore, Clock, Principal, Roles, StoredKey } from '../../engine/index.js';
import { auditAct, isOwner, type AuditAct } from '../../engine/index.js';
import { auditedAs } from './audited-as.js';
import { MAX_LISTED_KEYS, type PutKeyResult } from '../../engine/ports/access/access-store.js';
import { isLiveKey } from '../../engine/ports/access/key-life.js';
import { checkedLimit, decodeCursor, encodeCursor } from '../../engine/runtime/lists/list-cursor.js';
import {
  ForbiddenError,
  KeysFullError,
  UnauthorizedError,
  UnknownKeyError,
} from '../../errors/access-errors.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import type { ApiKey, ApiKeys, MakeKeyRequest } from '../api-keys.js';
import { isBootstrap } from './bootstrap.js';
import { checkedKeyRequest, type CheckedKeyRequest } from './checked-key-request.js';
import { generateKey, hashOfKey, isKeyId } from './key-text.js';
import { assertMayHaveHeirs, assertStillGood, makerOf, type MakerCheck } from './key-maker.js';
import { assertHolds, assertManages, assertManagesAll, manages, managesAll, mayEnd } from './key-rights.js';

const DAY_MS = 86_400_000;
const MOST_OF_OWNER = 100;
const MOST_IN_ALL = 10_000;
const MAX_OVERLAP_MS = 7 * DAY_MS;
/** A token lives for a day at most, and clocks differ: one that was revoked earlier has expired by itself. */
const REVOCATIONS_KEPT_MS = 25 * 60 * 60_000;

export interface ApiKeyParts {
  readonly store: AccessStore;
  readonly clock: Clock;
  readonly roles: () => Roles;
  readonly maxKeyDays: number;
  /** Whether it is recorded who changes keys. */
  readonly isAudited: boolean;
  /** Called when a key or a revocation has changed. */
  readonly changed: () => void;
}

type ChangeOfKeys =
  | { readonly action: 'key.make' | 'key.rotate' | 'key.revoke'; readonly key: StoredKey }
  | { readonly action: 'owner.revoke'; readonly owner: string };

interface KeyWithSecret {
  readonly key: ApiKey;
  readonly secret: string;
}

/**
 * The keys of a store.
 *
 * 1. Nobody gets a secret that may do more than they: not by making a key, nor by rotating one.
 * 2. Whoever was revoked gets none, also not in the moment before this process learns of it.
 * 3. A key that somebody may not see is one that there is not.
 */
export class StoredApiKeys implements ApiKeys {
  private readonly makers: MakerCheck;

  constructor(private readonly parts: ApiKeyParts) {
    const { store, clock, roles } = parts;
    this.makers = { store, now: () => clock.wallTime(), managerRoles: () => managerRoles(roles()) };
  }

  async make(by: Principal, request: MakeKeyRequest): Promise<KeyWithSecret> {
    const { store, clock, maxKeyDays } = this.parts;
    const roles = this.parts.roles();
    const now = clock.wallTime();
    if (!isBootstrap(by) && by.grants.length === 0) throw new ForbiddenError('key:manage', null);
    const checked = checkedKeyRequest(by, request, { roles, now, maxLifeMs: maxKeyDays * DAY_MS });
    const standsByItself = isBootstrap(by) || manages(by, checked.grants, roles);
    if (!isBootstrap(by)) this.assertMayMake(by, checked, standsByItself);
    await assertStillGood(by, this.makers);
    if (!standsByItself) await assertMayHaveHeirs(by, this.makers);
    const { id, text } = generateKey();
    const key: StoredKey = {
      ...checked,
      ...makerOf(by, standsByItself),
      id,
      secretHash: hashOfKey(text),
      formerHash: null,
      formerUntil: null,
      createdAt: now,
      lastUsedAt: null,
      revokedAt: null,
    };
    const askedBy = by.auth === 'key' && !isBootstrap(by) ? by.id : null;
    const bounds = { mostOfOwner: MOST_OF_OWNER, mostInAll: MOST_IN_ALL };
    const audit = this.actBy(by, { action: 'key.make', key });
    assertKept(await store.putKey({ key, ...bounds, now, askedBy, audit }));
    this.parts.changed();
    return { key: shown(key), secret: text };
  }

  async list(
    by: Principal,
    request: { readonly owner?: string; readonly limit?: number; readonly cursor?: string },
  ): Promise<{ readonly items: readonly ApiKey[]; readonly next: string | null }> {
    const roles = this.parts.roles();
    const limit = checkedLimit(request.limit);
    const owner = listedOwner(by, request.owner, roles);
    const list = { list: 'keys', filter: owner, key: ['number', 'string'] as const };
    const from = decodeCursor<[number, string]>(list, request.cursor);
    const items: ApiKey[] = [];
    const seesEach = owner === by.owner || managesAll(by, roles);
    const asked = seesEach ? Math.min(MAX_LISTED_KEYS, limit + 1) : MAX_LISTED_KEYS;
    let before = from === null ? null : { createdAt: from[0], id: from[1] };
    let last = before;
    // One more than is shown says whether there is another page. A page ends at a key that is shown: where it ended at another one,
    // its cursor would tell of that. Twice MOST_IN_ALL are looked at at most: live keys and ended ones.
    for (;;) {
      const page = await this.parts.store.listKeys({ owner, before, limit: asked });
      for (const key of page) {
        before = { createdAt: key.createdAt, id: key.id };
        if (!mayEnd(by, key, roles)) continue;
        if (items.length === limit) return { items, next: nextOf(list, last) };
        last = before;
        items.push(shown(key));
      }
      if (page.length < asked) return { items, next: null };
    }
  }

  async rotate(
    by: Principal,
    id: string,
    { overlapMs = 0 }: { readonly overlapMs?: number | undefined },
  ): Promise<KeyWithSecret> {
    const { store, clock } = this.parts;
    const roles = this.parts.roles();
    if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > MAX_OVERLAP_MS)
      throw InvalidRequestError.naming([
        { path: 'overlapMs', message: `overlapMs must be a whole number from 0 to ${MAX_OVERLAP_MS}` },
      ]);
    const key = await this.visible(by, id);
    const now = clock.wallTime();
    if (!isLiveKey(key, now)) throw new UnknownKeyError(id);
    if (!(by.auth === 'key' && by.id === id)) this.assertMayGetSecretOf(by, key, roles);
    await assertStillGood(by, this.makers);
    const { text } = generateKey(id);
    const request = { id, secretHash: hashOfKey(text), formerUntil: now + overlapMs, now };
    const audit = this.actBy(by, { action: 'key.rotate', key });
    const isRotated = await store.rotateKey({ ...request, audit });
    this.parts.changed();
    if (!isRotated) throw new UnknownKeyError(id);
    await this.orRevoked(by, id);
    return { key: shown(key), secret: text };
  }

  async revoke(by: Principal, id: string): Promise<void> {
    const key = await this.visible(by, id);
    const audit = this.actBy(by, { action: 'key.revoke', key });
    const isRevoked = await this.parts.store.revokeKey({ id, now: this.parts.clock.wallTime(), audit });
    this.parts.changed();
    if (!isRevoked) throw new UnknownKeyError(id);
  }

  async revokeOwner(by: Principal, owner: string): Promise<void> {
    assertManagesAll(by, this.parts.roles());
    if (!isOwner(owner))
      throw new InvalidRequestError(
        'owner must be a name of 1 to 256 characters (NFC, no control characters): send it as GET /whoami shows it',
      );
    const now = this.parts.clock.wallTime();
    const audit = this.actBy(by, { action: 'owner.revoke', owner });
    await this.parts.store.revokeOwner({ owner, now, keptSince: now - REVOCATIONS_KEPT_MS, audit });
    this.parts.changed();
  }

  /** What is recorded with a change: of a key whose grants are in one namespace, there. */
  private actBy(by: Principal, { action, ...about }: ChangeOfKeys): AuditAct | null {
    if (!this.parts.isAudited) return null;
    const act = { at: this.parts.clock.wallTime(), action, by: auditedAs(by) };
    if ('owner' in about) return auditAct({ ...act, subject: about.owner });
    const { id: target, owner: subject, grants } = about.key;
    const [only = '*', ...others] = new Set(grants.map(({ namespace }) => namespace));
    const namespace = only === '*' || others.length > 0 ? null : only;
    const facts = isBootstrap(by) ? { isBootstrap: true } : {};
    return auditAct({ ...act, namespace, target, subject, facts });
  }

  private assertMayMake(by: Principal, key: CheckedKeyRequest, isManager: boolean): void {
    const roles = this.parts.roles();
    assertHolds(by, key.grants, roles);
    const hasOtherGroups = key.groups.some((group) => !by.groups.includes(group));
    if (!isManager && (key.owner !== by.owner || hasOtherGroups)) assertManages(by, key.grants, roles);
  }

  /** A secret is as good as the key: it must not do more than whoever gets it, nor for longer. */
  private assertMayGetSecretOf(by: Principal, key: StoredKey, roles: Roles): void {
    assertHolds(by, key.grants, roles);
    const hasOtherGroups = key.groups.some((group) => !by.groups.includes(group));
    const livesLonger = by.expiresAt !== null && key.expiresAt > by.expiresAt;
    if (key.owner !== by.owner || hasOtherGroups || livesLonger) assertManages(by, key.grants, roles);
  }

  private async visible(by: Principal, id: string): Promise<StoredKey> {
    if (isBootstrap(by)) throw new ForbiddenError('key:manage', null);
    const key = isKeyId(id) ? await this.parts.store.findKey({ id }) : null;
    if (key === null || !mayEnd(by, key, this.parts.roles())) throw new UnknownKeyError(id);
    return key;
  }

  /** Takes back the secret that somebody got who was revoked in the meantime, by ending the key. */
  private async orRevoked(by: Principal, id: string): Promise<void> {
    try {
      await assertStillGood(by, this.makers);
    } catch (error) {
      const key = await this.parts.store.findKey({ id });
      const audit = key === null ? null : this.actBy(by, { action: 'key.revoke', key });
      await this.parts.store.revokeKey({ id, now: this.parts.clock.wallTime(), audit });
      this.parts.changed();
      throw error;
    }
  }
}

/** Throws for a key that the store did not take. */
function assertKept(result: PutKeyResult): void {
  switch (result) {
    case 'kept':
      return;
    case 'owner-full':
      throw new KeysFullError(MOST_OF_OWNER, true);
    case 'full':
      throw new KeysFullError(MOST_IN_ALL, false);
    case 'maker-ended':
      throw new UnauthorizedError('whoever makes the key was revoked meanwhile');
  }
}

/** The roles whose holders manage keys. */
export function managerRoles(roles: Roles): readonly string[] {
  return [...roles].filter(([, permissions]) => permissions.includes('key:manage')).map(([name]) => name);
}

/** Whose keys are read; null: those of all, of which then only some may be shown. */
function listedOwner(by: Principal, owner: string | undefined, roles: Roles): string | null {
  if (isBootstrap(by)) throw new ForbiddenError('key:manage', null);
  const managesSome = managesAll(by, roles) || by.grants.some((grant) => manages(by, [grant], roles));
  if (owner !== undefined && !isOwner(owner))
    throw InvalidRequestError.naming([
      { path: 'owner', message: 'owner must be a name of 1 to 256 characters (NFC, no control characters)' },
    ]);
  if (owner === undefined) return managesSome ? null : by.owner;
  if (owner !== by.owner && !managesSome) throw new ForbiddenError('key:manage', null);
  return owner;
}

function nextOf(
  list: {
    readonly list: string;
    readonly filter: string | null;
    readonly key: readonly ['number', 'string'];
  },
  before: { readonly createdAt: number; readonly id: string } | null,
): string | null {
  return before === null ? null : encodeCursor<[number, string]>(list, [before.createdAt, before.id]);
}

/** Without anything that a secret could be found from. */
function shown(key: StoredKey): ApiKey {
  const { id, owner, name, groups, grants, madeBy, createdAt, expiresAt, lastUsedAt, revokedAt } = key;
  return { id, owner, name, groups, grants, madeBy, createdAt, expiresAt, lastUsedAt, revokedAt };
}

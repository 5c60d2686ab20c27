import { StoreError } from '../../../errors/service-errors.js';
import {
  MAX_LISTED_KEYS,
  REVOCATION_SPREAD_MS,
  type AccessMethod,
  type AccessStore,
  type PutKeyResult,
  type StoredKey,
} from '../../ports/access/access-store.js';
import { AccessWatchers } from '../../ports/access/access-watchers.js';
import { isGrantedEverywhere, isLiveKey } from '../../ports/access/key-life.js';
import type { InMemoryAudit } from './in-memory-audit.js';
import { ownCopy } from './own-copy.js';

type Request<Method extends AccessMethod> = Parameters<AccessStore[Method]>[0];

/** Keys and revocations as long as the process lives: nothing happens between the steps of a method. */
export class InMemoryAccess implements AccessStore {
  private readonly keys = new Map<string, StoredKey>();
  private readonly revocations = new Map<string, number>();
  private readonly watchers = new AccessWatchers();
  private counter = 0;

  constructor(
    private readonly refuseIfClosed: () => void,
    private readonly audit: Pick<InMemoryAudit, 'add'>,
  ) {}

  async putKey(request: Request<'putKey'>): Promise<PutKeyResult> {
    this.refuseIfClosed();
    const { key, mostOfOwner, mostInAll, now } = request;
    if (this.keys.has(key.id)) {
      throw new StoreError('There is a key of that id already: make another one', { permanent: true });
    }
    if (this.hasMakerEnded(request)) return 'maker-ended';
    const isOwners = ({ owner }: StoredKey): boolean => owner === key.owner;
    if (this.countLive(isOwners, now) >= mostOfOwner) return 'owner-full';
    if (this.countLive(() => true, now) >= mostInAll) return 'full';
    this.keys.set(key.id, ownCopy(key));
    this.removeEnded(isOwners, mostOfOwner, now);
    this.removeEnded(() => true, mostInAll, now);
    this.audit.add(request.audit);
    this.move();
    return 'kept';
  }

  async findKey({ id }: Request<'findKey'>): Promise<StoredKey | null> {
    this.refuseIfClosed();
    return this.keys.get(id) ?? null;
  }

  async listKeys({ owner, before, limit }: Request<'listKeys'>): Promise<readonly StoredKey[]> {
    this.refuseIfClosed();
    return [...this.keys.values()]
      .filter((key) => (owner === null || key.owner === owner) && (before === null || isNewer(before, key)))
      .sort(newestFirst)
      .slice(0, Math.min(limit, MAX_LISTED_KEYS));
  }

  async rotateKey({ id, secretHash, formerUntil, now, audit }: Request<'rotateKey'>): Promise<boolean> {
    this.refuseIfClosed();
    const key = this.keys.get(id);
    if (key === undefined || !isLiveKey(key, now)) return false;
    const former =
      formerUntil > now
        ? { formerHash: key.secretHash, formerUntil }
        : { formerHash: null, formerUntil: null };
    this.keys.set(id, Object.freeze({ ...key, secretHash, ...former }));
    this.audit.add(audit);
    this.move();
    return true;
  }

  async revokeKey({ id, now, audit }: Request<'revokeKey'>): Promise<boolean> {
    this.refuseIfClosed();
    const key = this.keys.get(id);
    if (key === undefined || key.revokedAt !== null) return false;
    this.revoke([key], now);
    this.audit.add(audit);
    this.move();
    return true;
  }

  async markUsed({ ids, at }: Request<'markUsed'>): Promise<void> {
    this.refuseIfClosed();
    for (const id of ids) {
      const key = this.keys.get(id);
      if (key === undefined || (key.lastUsedAt ?? -Infinity) >= at) continue;
      this.keys.set(id, Object.freeze({ ...key, lastUsedAt: at }));
    }
  }

  async hasLiveManager({ roles, now }: Request<'hasLiveManager'>): Promise<boolean> {
    this.refuseIfClosed();
    for (const key of this.keys.values()) {
      if (isLiveKey(key, now) && isGrantedEverywhere(key.grants, roles)) return true;
    }
    return false;
  }

  async revokeOwner({ owner, now, keptSince, audit }: Request<'revokeOwner'>): Promise<void> {
    this.refuseIfClosed();
    this.revoke(
      [...this.keys.values()].filter((key) => key.owner === owner),
      now,
    );
    this.revocations.set(owner, Math.max(now, this.revocations.get(owner) ?? now));
    for (const [revoked, at] of this.revocations) if (at < keptSince) this.revocations.delete(revoked);
    this.audit.add(audit);
    this.move();
  }

  async ownerRevokedAt({ owner }: Request<'ownerRevokedAt'>): Promise<number | null> {
    this.refuseIfClosed();
    return this.revocations.get(owner) ?? null;
  }

  async accessCounter(): Promise<number> {
    this.refuseIfClosed();
    return this.counter;
  }

  watchAccess(moved: () => void): () => void {
    return this.watchers.add(moved);
  }

  private move(): void {
    this.counter += 1;
    this.watchers.notify();
  }

  private hasMakerEnded({ key, now, askedBy = null }: Request<'putKey'>): boolean {
    const revokedAt = key.madeBy === null ? undefined : this.revocations.get(key.madeBy);
    if (revokedAt !== undefined && revokedAt > now - REVOCATION_SPREAD_MS) return true;
    return [key.madeByKey, askedBy].some((id) => {
      if (id === null) return false;
      const maker = this.keys.get(id);
      return maker === undefined || !isLiveKey(maker, now);
    });
  }

  private countLive(isCounted: (key: StoredKey) => boolean, now: number): number {
    let count = 0;
    for (const key of this.keys.values()) if (isLiveKey(key, now) && isCounted(key)) count += 1;
    return count;
  }

  /** All but the newest of those that have ended. */
  private removeEnded(isMeant: (key: StoredKey) => boolean, mostKept: number, now: number): void {
    const ended = [...this.keys.values()].filter((key) => !isLiveKey(key, now) && isMeant(key));
    if (ended.length <= mostKept) return;
    for (const { id } of ended.sort(newestFirst).slice(mostKept)) this.keys.delete(id);
  }

  /** With what they made, and what that made. */
  private revoke(roots: readonly StoredKey[], now: number): void {
    const madeBy = Map.groupBy(this.keys.values(), (key) => key.madeByKey);
    const seen = new Set(roots);
    for (const key of seen) {
      for (const made of madeBy.get(key.id) ?? []) seen.add(made);
      if (key.revokedAt === null) this.keys.set(key.id, Object.freeze({ ...key, revokedAt: now }));
    }
  }
}

function isNewer(
  one: Pick<StoredKey, 'createdAt' | 'id'>,
  than: Pick<StoredKey, 'createdAt' | 'id'>,
): boolean {
  return one.createdAt === than.createdAt ? one.id > than.id : one.createdAt > than.createdAt;
}

function newestFirst(a: StoredKey, b: StoredKey): number {
  return isNewer(a, b) ? -1 : 1;
}

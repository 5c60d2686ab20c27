import type { AccessStore, StoredKey } from '../../../src/engine/index.js';
import {
  MAX_LISTED_KEYS,
  REVOCATION_SPREAD_MS,
  type PutKeyResult,
} from '../../../src/engine/ports/access/access-store.js';

/** Keeps keys in memory, as the port says; `reachable: false` makes it a store that cannot be reached. */
export class TestAccessStore implements AccessStore {
  readonly keys = new Map<string, StoredKey>();
  readonly revoked = new Map<string, number>();
  /** The calls of `markUsed`. */
  readonly uses: { readonly ids: readonly string[]; readonly at: number }[] = [];
  readonly watchers = new Set<() => void>();
  reachable = true;
  /** How often a key was read. */
  reads = 0;
  /** Waited for before a key is kept, as a slow database would. */
  beforePut: () => Promise<void> = () => Promise.resolve();
  private counter = 0;

  async putKey({
    key,
    mostOfOwner,
    mostInAll,
    now,
    askedBy = null,
  }: Parameters<AccessStore['putKey']>[0]): Promise<PutKeyResult> {
    this.assertReachable();
    await this.beforePut();
    if (this.hasMakerEnded(key, askedBy, now)) return 'maker-ended';
    const live = [...this.keys.values()].filter((each) => isLive(each, now));
    if (live.filter(({ owner }) => owner === key.owner).length >= mostOfOwner) return 'owner-full';
    if (live.length >= mostInAll) return 'full';
    this.keys.set(key.id, structuredClone(key));
    this.counter += 1;
    return 'kept';
  }

  async findKey({ id }: { readonly id: string }) {
    this.assertReachable();
    this.reads += 1;
    return structuredClone(this.keys.get(id) ?? null);
  }

  async listKeys({ owner, before, limit }: Parameters<AccessStore['listKeys']>[0]) {
    this.assertReachable();
    const order = (a: StoredKey, b: StoredKey): number =>
      b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
    const isAfter = (key: StoredKey): boolean => before === null || order({ ...key, ...before }, key) < 0;
    return [...this.keys.values()]
      .filter((key) => (owner === null || key.owner === owner) && isAfter(key))
      .sort(order)
      .slice(0, Math.min(limit, MAX_LISTED_KEYS));
  }

  async rotateKey({ id, secretHash, formerUntil, now }: Parameters<AccessStore['rotateKey']>[0]) {
    this.assertReachable();
    const key = this.keys.get(id);
    if (key === undefined || !isLive(key, now)) return false;
    this.keys.set(id, { ...key, secretHash, formerHash: key.secretHash, formerUntil });
    this.counter += 1;
    return true;
  }

  async revokeKey({ id, now }: { readonly id: string; readonly now: number }) {
    this.assertReachable();
    const key = this.keys.get(id);
    if (key === undefined || key.revokedAt !== null) return false;
    this.revokeTree(id, now);
    this.counter += 1;
    return true;
  }

  async markUsed(request: { readonly ids: readonly string[]; readonly at: number }) {
    this.assertReachable();
    this.uses.push(request);
    for (const id of request.ids) {
      const key = this.keys.get(id);
      if (key !== undefined) this.keys.set(id, { ...key, lastUsedAt: request.at });
    }
  }

  async hasLiveManager({ roles, now }: { readonly roles: readonly string[]; readonly now: number }) {
    this.assertReachable();
    return [...this.keys.values()].some(
      (key) =>
        isLive(key, now) &&
        key.grants.some(
          (grant) =>
            grant.namespace === '*' &&
            grant.workflows === undefined &&
            grant.roles.some((role) => roles.includes(role)),
        ),
    );
  }

  async revokeOwner({ owner, now, keptSince }: Parameters<AccessStore['revokeOwner']>[0]) {
    this.assertReachable();
    for (const key of this.keys.values()) if (key.owner === owner) this.revokeTree(key.id, now);
    for (const [name, at] of this.revoked) if (at < keptSince) this.revoked.delete(name);
    this.revoked.set(owner, now);
    this.counter += 1;
  }

  async ownerRevokedAt({ owner }: { readonly owner: string }) {
    this.assertReachable();
    return this.revoked.get(owner) ?? null;
  }

  async accessCounter() {
    this.assertReachable();
    return this.counter;
  }

  watchAccess(moved: () => void) {
    this.watchers.add(moved);
    return () => this.watchers.delete(moved);
  }

  private hasMakerEnded(key: StoredKey, askedBy: string | null, now: number): boolean {
    const makers = [key.madeByKey, askedBy].filter((id) => id !== null).map((id) => this.keys.get(id));
    const revokedAt = this.revoked.get(key.madeBy ?? '') ?? -Infinity;
    const isRevoked = now - revokedAt < REVOCATION_SPREAD_MS;
    return isRevoked || makers.some((maker) => maker === undefined || !isLive(maker, now));
  }

  private revokeTree(id: string, now: number): void {
    const key = this.keys.get(id);
    if (key?.revokedAt === null) this.keys.set(id, { ...key, revokedAt: now });
    for (const made of this.keys.values())
      if (made.madeByKey === id && made.revokedAt === null) this.revokeTree(made.id, now);
  }

  private assertReachable(): void {
    if (!this.reachable) throw new Error('connection refused');
  }
}

function isLive({ revokedAt, expiresAt }: StoredKey, now: number): boolean {
  return revokedAt === null && expiresAt > now;
}

import type { Grant } from './principal.js';

/** Which token made a key: the key has, at each use, no more than the access file gives these then. */
export interface KeyMakerToken {
  readonly owner: string;
  readonly groups: readonly string[];
}

/** An API key as it is kept: of its secret only the hash. */
export interface StoredKey {
  /** 16 characters of base32, as they stand in the key itself. */
  readonly id: string;
  /** SHA-256 of the whole key as text, in hex. */
  readonly secretHash: string;
  /** The one before a rotation, until `formerUntil` (epoch ms); null: none. */
  readonly formerHash: string | null;
  readonly formerUntil: number | null;
  readonly owner: string;
  /** For people to read; null: none. */
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly grants: readonly Grant[];
  /** The key that made it, and with which it ends; null: it stands by itself, or a token made it. */
  readonly madeByKey: string | null;
  readonly madeByToken: KeyMakerToken | null;
  /** The owner who made it; null: whoever started the service. */
  readonly madeBy: string | null;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** Epoch ms, at most five minutes old; null: never. */
  readonly lastUsedAt: number | null;
  /** Epoch ms; null: it was not revoked. */
  readonly revokedAt: number | null;
}

/**
 * Keeps API keys and what was revoked. Every change of either moves the counter, in the same transaction; a use does not. A
 * key counts as live until it is revoked or has expired (`now`).
 */
export interface AccessStore {
  /** Keeps a new key unless there are `mostOfOwner` live ones of its owner, or `mostInAll` in all. */
  putKey(request: {
    readonly key: StoredKey;
    readonly mostOfOwner: number;
    readonly mostInAll: number;
    readonly now: number;
  }): Promise<'kept' | 'owner-full' | 'full'>;
  findKey(request: { readonly id: string }): Promise<StoredKey | null>;
  /** Newest first by (createdAt, id). `owner`: null for those of all. `before`: the last of the page before. */
  listKeys(request: {
    readonly owner: string | null;
    readonly before: { readonly createdAt: number; readonly id: string } | null;
    readonly limit: number;
  }): Promise<readonly StoredKey[]>;
  /** Gives a live key another secret; what was its secret stays valid until `formerUntil`. False: there is no such live key. */
  rotateKey(request: {
    readonly id: string;
    readonly secretHash: string;
    readonly formerUntil: number;
    readonly now: number;
  }): Promise<boolean>;
  /** Revokes a key, and those that it made, and those that these made. False: there is no such key that is not revoked. */
  revokeKey(request: { readonly id: string; readonly now: number }): Promise<boolean>;
  /** Notes that keys were used. */
  markUsed(request: { readonly ids: readonly string[]; readonly at: number }): Promise<void>;
  /** Whether a key lives that may manage keys in all namespaces; the roles are those that include `key:manage`. */
  hasLiveManager(request: { readonly roles: readonly string[]; readonly now: number }): Promise<boolean>;
  /**
   * Revokes the keys of an owner, with what they made, and refuses the owner's tokens that were issued up to `now`. Of
   * revocations that are older than `keptSince` none is kept.
   */
  revokeOwner(request: {
    readonly owner: string;
    readonly now: number;
    readonly keptSince: number;
  }): Promise<void>;
  /** Up to which instant (epoch ms) tokens of the owner are refused; null: none are. */
  ownerRevokedAt(request: { readonly owner: string }): Promise<number | null>;
  /** Moves with every change of keys and revocations, by whichever process. */
  accessCounter(): Promise<number>;
  /**
   * Has `moved` called soon after another process changed something, where the store can notice that; else it is looked for.
   * Returns a function that ends it.
   */
  watchAccess(moved: () => void): () => void;
}

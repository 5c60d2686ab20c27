import type { AuditAct } from '../audit/audit-act.js';
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

/** More keys than this are not listed at once, whatever the limit of a request. */
export const MAX_LISTED_KEYS = 200;

/**
 * For so long after an owner was revoked, nothing that the owner asks for makes a key: another process may not have heard of it
 * yet, and would make one that outlives the revocation. Twice as long as a revocation takes to be known everywhere.
 */
export const REVOCATION_SPREAD_MS = 10_000;

/** `maker-ended`: whoever makes the key was revoked or has expired meanwhile. */
export type PutKeyResult = 'kept' | 'owner-full' | 'full' | 'maker-ended';

/** What processes that share a store tell one another of their access files. Any of it may be lost, and none of it is kept. */
export interface AccessPeers {
  /** `fileHash`: the SHA-256 of the file that holds here, in hex; `none`: there is none. Never throws; nobody waits for it. */
  tell(fileHash: string): void;
  /** `heard` is called with what another process told, and must not throw. Returns a function that ends it. */
  hear(heard: (peer: string, fileHash: string) => void): () => void;
}

/**
 * Keeps API keys and what was revoked: a sixth port, which a `RunStore` may have as `access`. Every method takes one readonly
 * parameter object; what is absent is null.
 *
 * Numbered promises, each checked by `testing/contract/access-store`:
 * 1. A key is live until it is revoked or has expired (`expiresAt <= now`). Nothing makes one live again.
 * 2. The limits of `putKey` hold whatever is put at the same time, also by several processes.
 * 3. What revokes is all or nothing, and reaches what a revoked key made, to any depth, and what it is about to make: a key whose
 *    maker is revoked at the same time is either revoked with it or not kept.
 * 4. Every change of keys and revocations moves the counter in its own transaction. What is refused leaves it where it is, and
 *    so does the note that a key was used.
 * 5. What a method resolved with is durable (in-memory: not promised), and seen by every process that asks afterwards.
 * 6. It does not grow without bound: of keys that ended, no more are kept than there may be live ones, of an owner and in all; of
 *    revocations of owners, none that is older than the last one's `keptSince`.
 * 7. What it was given and what it returns is never changed afterwards. Of a secret it is never given more than the hash.
 */
export interface AccessStore {
  /** The other processes that share the store. Absent: there are none, or they cannot be told anything. */
  readonly peers?: AccessPeers;
  /**
   * Keeps a new key unless there are `mostOfOwner` live ones of its owner, or `mostInAll` in all, or whoever makes it has ended: the
   * key that made it (`madeByKey`) or that asks for it (`askedBy`) is not live, or the owner who made it (`madeBy`) was revoked less
   * than `REVOCATION_SPREAD_MS` ago. Rejects for an id that there is already.
   */
  putKey(request: {
    readonly key: StoredKey;
    readonly mostOfOwner: number;
    readonly mostInAll: number;
    readonly now: number;
    /** The key that asks, also where what is made stands by itself. Absent or null: none does, but a token or a bootstrap key. */
    readonly askedBy?: string | null;
    /** Recorded with the key, if that is kept. Absent or null, as below: nothing is. */
    readonly audit?: AuditAct | null;
  }): Promise<PutKeyResult>;
  /** Also one that has ended, as long as it is kept. */
  findKey(request: { readonly id: string }): Promise<StoredKey | null>;
  /**
   * Newest first by (createdAt, id), also those that have ended. `owner`: null for those of all. `before`: the last of the page
   * before. At most `MAX_LISTED_KEYS`.
   */
  listKeys(request: {
    readonly owner: string | null;
    readonly before: { readonly createdAt: number; readonly id: string } | null;
    readonly limit: number;
  }): Promise<readonly StoredKey[]>;
  /**
   * Gives a live key another secret; what was its secret stays valid until `formerUntil`, and is forgotten at once where that is
   * `now` or before. One that was valid from an earlier rotation is forgotten. False: there is no such live key.
   */
  rotateKey(request: {
    readonly id: string;
    readonly secretHash: string;
    readonly formerUntil: number;
    readonly now: number;
    readonly audit?: AuditAct | null;
  }): Promise<boolean>;
  /** Revokes a key, and those that it made, and those that these made. False: there is no such key that is not revoked. */
  revokeKey(request: {
    readonly id: string;
    readonly now: number;
    readonly audit?: AuditAct | null;
  }): Promise<boolean>;
  /** Notes that keys were used; an earlier use than the one noted changes nothing. */
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
    readonly audit?: AuditAct | null;
  }): Promise<void>;
  /** Up to which instant (epoch ms) tokens of the owner are refused; null: none are. */
  ownerRevokedAt(request: { readonly owner: string }): Promise<number | null>;
  /** Moves with every change of keys and revocations, by whichever process. Read by one key of an index. */
  accessCounter(): Promise<number>;
  /**
   * Has `moved` called soon after somebody changed something, this process included; where the store cannot notice what another
   * process did, that is looked for by the counter. `moved` must not throw. Returns a function that ends it.
   */
  watchAccess(moved: () => void): () => void;
}

export type AccessMethod = Exclude<keyof AccessStore, 'peers'>;

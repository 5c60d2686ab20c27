import type { Grant, Principal } from '../engine/index.js';

/** A key as whoever manages it sees it; never its secret. Instants are epoch ms. */
export interface ApiKey {
  readonly id: string;
  readonly owner: string;
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly grants: readonly Grant[];
  readonly madeBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

export interface MakeKeyRequest {
  /** Default: the one who asks. Another one needs `key:manage`. */
  readonly owner?: string | undefined;
  readonly name?: string | undefined;
  /** Default: those of the one who asks. Others need `key:manage`. */
  readonly groups?: readonly string[] | undefined;
  /** Default: those of the one who asks. Never more than these. */
  readonly grants?: readonly Grant[] | undefined;
  /** Epoch ms. Default and most: `FLOWGATE_MAX_KEY_DAYS` from now, and never after the maker's own. */
  readonly expiresAt?: number | undefined;
}

/** Makes, lists, rotates and revokes API keys. */
export interface ApiKeys {
  /** `secret`: the whole key, shown this once. Rejects with a `ForbiddenError`, `InvalidRequestError` or `KeysFullError`. */
  make(by: Principal, request: MakeKeyRequest): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  /** One's own, newest first; with `key:manage` those of all, or of an owner. `cursor`: `next` of the page before. */
  list(
    by: Principal,
    request: { readonly owner?: string; readonly limit?: number; readonly cursor?: string },
  ): Promise<{ readonly items: readonly ApiKey[]; readonly next: string | null }>;
  /** `overlapMs`: how long the old secret is still good; default 0, at most seven days. Rejects with an `UnknownKeyError`. */
  rotate(
    by: Principal,
    id: string,
    request: { readonly overlapMs?: number | undefined },
  ): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  /** With what it made. Rejects with an `UnknownKeyError`. */
  revoke(by: Principal, id: string): Promise<void>;
  /** Ends all keys of an owner, and the tokens that were issued to them until now. Needs `key:manage` in `*`. */
  revokeOwner(by: Principal, owner: string): Promise<void>;
}

/** What is granted to somebody in a namespace. */
export interface GrantedPermissions {
  /** `*`: each of them, and what belongs to none. */
  readonly namespace: string;
  /** Such as `run:start`. */
  readonly permissions: readonly string[];
  /** Ids, each of which may end in `*`; null: all. */
  readonly workflows: readonly string[] | null;
}

/** Who is asking, and what they may. */
export interface WhoAmI {
  /** How it is known who is asking; `none`: nobody was asked. */
  readonly auth: 'none' | 'key' | 'jwt' | 'host';
  readonly id: string;
  /** The account; null: none is known. */
  readonly owner: string | null;
  readonly name: string | null;
  readonly groups: readonly string[];
  /** Epoch ms; null: never. */
  readonly expiresAt: number | null;
  readonly grants: readonly GrantedPermissions[];
}

/** What a key may do in a namespace. */
export interface KeyGrant {
  /** `*`: each of them, and what belongs to none. */
  readonly namespace: string;
  readonly roles: readonly string[];
  /** Ids, each of which may end in `*`. Absent: all. */
  readonly workflows?: readonly string[] | undefined;
}

/** An API key, without its secret. Instants are epoch ms. */
export interface ApiKey {
  readonly id: string;
  readonly owner: string;
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly grants: readonly KeyGrant[];
  /** The owner who made it; null: whoever started the service. */
  readonly madeBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** At most five minutes old; null: never. */
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

export interface MadeKey {
  readonly key: ApiKey;
  /** What is sent as the token. It is shown this once. */
  readonly secret: string;
}

/** Who acted. */
export interface AuditActor {
  /** Of a key its id, of anybody else their name. */
  readonly id: string;
  /** The account; null: the name was only claimed. */
  readonly owner: string | null;
  readonly via: string;
  readonly auth: WhoAmI['auth'];
}

/** What somebody did. */
export interface AuditItem {
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  /** Such as `run.start`, `gate.decide`, `key.make`. */
  readonly action: string;
  /** Null: it belongs to none. */
  readonly namespace: string | null;
  /** Null: the service itself, or nobody who is known. */
  readonly by: AuditActor | null;
  readonly workflowId: string | null;
  readonly runId: string | null;
  /** Of the event of the run that says so; null: none does. */
  readonly seq: number | null;
  /** The account that it was done to; null: none. */
  readonly subject: string | null;
  /** The key, run, version or content that it was done to; null: what the other fields say. */
  readonly target: string | null;
  /** What else is known, by names and numbers; never a payload. */
  readonly facts: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

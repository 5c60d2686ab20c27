import type { CallOptions } from '../options.js';
import type { KeyGrant } from '../types/access.js';
import type { Instant, PageOptions } from './lists.js';

export interface MakeKeyOptions extends CallOptions {
  /** Whose key it is. Default: yours; another one needs `key:manage`. */
  readonly owner?: string | undefined;
  /** For people to read. Default: none. */
  readonly name?: string | undefined;
  /** Default: yours. */
  readonly groups?: readonly string[] | undefined;
  /** What it may do, never more than you. Default: what you may. */
  readonly grants?: readonly KeyGrant[] | undefined;
  /** Default and most: what the service allows, and never after your own. */
  readonly expiresAt?: Instant | undefined;
}

export interface ListKeysOptions extends PageOptions {
  /** Whose keys. Default: yours; with `key:manage` those of all. */
  readonly owner?: string | undefined;
}

export interface RotateKeyOptions extends CallOptions {
  /** How long the old secret is still good, in ms, seven days at most. Default 0. */
  readonly overlapMs?: number | undefined;
}

/** What acts of a list have in common; what is left out does not matter. */
export interface ListAuditOptions extends PageOptions {
  /** What this account did. */
  readonly owner?: string | undefined;
  /** What was done, such as `run.start`. */
  readonly action?: string | undefined;
  /** What was done to this run, also after it was purged. */
  readonly runId?: string | undefined;
  /** Inclusive. */
  readonly after?: Instant | undefined;
  /** Exclusive. */
  readonly before?: Instant | undefined;
}

/**
 * The second key of each advisory lock; the first is the schema's (`DriverDatabase.lockSpace`). The replica is there: shared by
 * all of them, so that they can be counted.
 */
export const PRESENCE_KEY = 0;
/** Those of shards follow, at most 256. */
const FIRST_SHARD_KEY = 1;
/** Those of log revisions: each replica shares that of its build, so that those of each build can be counted. */
const FIRST_REVISION_KEY = 512;
/** From here on roles. */
const FIRST_ROLE_KEY = 1_024;
const ROLE_KEYS = 2 ** 31 - FIRST_ROLE_KEY;

export function shardKey(shard: number): number {
  return FIRST_SHARD_KEY + shard;
}

/** Throws a `RangeError` for a revision that has no lock. */
export function revisionKey(logRevision: number): number {
  const key = FIRST_REVISION_KEY + logRevision;
  if (!Number.isInteger(key) || key < FIRST_REVISION_KEY || key >= FIRST_ROLE_KEY)
    throw new RangeError(
      `${logRevision}: a log revision is a whole number from 0 to ${FIRST_ROLE_KEY - FIRST_REVISION_KEY - 1}.`,
    );
  return key;
}

/** The first key that is of no revision. */
export const REVISION_KEYS_END = FIRST_ROLE_KEY;

export function shardOfKey(key: number): number {
  return key - FIRST_SHARD_KEY;
}

/** The same in every replica and build: FNV-1a of the name. Two names may have one key, which who adds roles has to refuse. */
export function roleKey(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return FIRST_ROLE_KEY + (hash % ROLE_KEYS);
}

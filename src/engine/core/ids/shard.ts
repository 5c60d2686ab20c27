/**
 * A run id names its shard: the last byte of the UUIDv7, modulo the number of shards. So a process that sees an id knows the
 * run's owner without a look-up; and a child's id ends as its parent's does, so that both stay in one shard.
 */
const HEX_BYTE = /[0-9a-f]{2}$/;

/** 0 to 255; an id that does not end in a byte in lower-case hex counts as byte 0. */
export function shardByteOf(runId: string): number {
  const [byte] = HEX_BYTE.exec(runId) ?? [];
  return byte === undefined ? 0 : Number.parseInt(byte, 16);
}

export function shardOf(runId: string, shardCount: number): number {
  return shardByteOf(runId) % shardCount;
}

/** A byte of that shard that keeps as much of the given byte as the shard leaves free. */
export function byteInShard(byte: number, shard: number, shardCount: number): number {
  const free = Math.floor((255 - shard) / shardCount) + 1;
  return shard + (Math.floor(byte / shardCount) % free) * shardCount;
}

/** The id, with its last byte in that shard. */
export function inShard(runId: string, shard: number, shardCount: number): string {
  return (
    runId.slice(0, -2) + byteInShard(shardByteOf(runId), shard, shardCount).toString(16).padStart(2, '0')
  );
}

import type { ShardSet } from '../../../engine/ports/store/run-index.js';

const BYTES = 256;
const EVERY_BYTE: readonly number[] = Array.from({ length: BYTES }, (_, byte) => byte);

/** The last bytes of the ids of the runs in these shards, as the column `shard_byte` has them; null: of all runs. */
export function bytesOf(shards: ShardSet | null): readonly number[] {
  if (shards === null) return EVERY_BYTE;
  const lanes = new Set(shards.lanes);
  return EVERY_BYTE.filter((byte) => lanes.has(byte % shards.count));
}

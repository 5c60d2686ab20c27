import type { ShardSet } from './run-index.js';

const HEX_BYTE = /[0-9a-f]{2}$/;

/** Whether the run is in one of the shards (see `ShardSet`); null: all runs are. */
export function isInShards(shards: ShardSet | null, runId: string): boolean {
  if (shards === null) return true;
  const byte = Number.parseInt(HEX_BYTE.exec(runId)?.[0] ?? '0', 16);
  return shards.lanes.includes(byte % shards.count);
}

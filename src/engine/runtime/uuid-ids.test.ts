import { inShard, shardByteOf, shardOf } from '../core/ids/shard.js';
import { uuidIds } from './uuid-ids.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the id of a run', () => {
  it('is a UUIDv7 of the shard that was requested, whatever the number of shards', () => {
    for (let shardCount = 1; shardCount <= 256; shardCount += 1) {
      for (let shard = 0; shard < shardCount; shard += 1) {
        const id = uuidIds.runId({ shard, shardCount });
        if (shardOf(id, shardCount) !== shard || !UUID_V7.test(id))
          throw new Error(`${id}: ${shard}/${shardCount}`);
      }
    }
  });

  it('names its shard as the core would have put it there', () => {
    const id = uuidIds.runId({ shard: 5, shardCount: 64 });
    expect(inShard(id, 5, 64)).toBe(id);
  });

  it('uses every byte that the shard leaves free', () => {
    const bytes = new Set(
      Array.from({ length: 400 }, () => shardByteOf(uuidIds.runId({ shard: 3, shardCount: 64 }))),
    );
    expect([...bytes].sort((a, b) => a - b)).toEqual([3, 67, 131, 195]);
  });

  it('falls into any shard when none is requested, and never comes twice', () => {
    const ids = Array.from({ length: 4_000 }, () => uuidIds.runId(null));
    expect(new Set(ids).size).toBe(4_000);
    expect(new Set(ids.map((id) => shardOf(id, 16))).size).toBe(16);
  });
});

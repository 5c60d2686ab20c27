import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { byteInShard } from '../core/ids/shard.js';
import type { Ids } from '../ports/ids.js';

/** The library calls the system again for every 16 ids, which costs more than everything else at the start of a run. */
const POOL_BYTES = 16_384;
const ID_BYTES = 16;
/** The index of the random byte that becomes the last byte of an id. */
const LAST = ID_BYTES - 1;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;
const random = new Uint8Array(ID_BYTES);

/** UUIDv7, from random bytes that are fetched by the thousand. */
export const uuidIds: Ids = {
  runId: (request) => {
    const bytes = nextRandom();
    if (request !== null) {
      bytes[LAST] = byteInShard(bytes[LAST] ?? 0, request.shard, request.shardCount);
    }
    return v7({ random: bytes });
  },
};

/** The same array each time, with new bytes. */
function nextRandom(): Uint8Array {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  for (let index = 0; index < ID_BYTES; index += 1) random[index] = pool[used + index] ?? 0;
  used += ID_BYTES;
  return random;
}

import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Ids } from '../ports/ids.js';

/** The library asks the system for every 16 ids anew, which costs more than the rest of starting a run. */
const POOL_BYTES = 16_384;
const ID_BYTES = 16;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** UUIDv7, from random bytes that are fetched by the thousand. */
export const uuidIds: Ids = { runId: () => v7({ random: nextRandom() }) };

function nextRandom(): Uint8Array {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.slice(used, used + ID_BYTES);
  used += ID_BYTES;
  return random;
}

import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { byteInLane } from '../core/lane.js';
import type { Ids } from '../ports/ids.js';

/** The library asks the system for every 16 ids anew, which costs more than the rest of starting a run. */
const POOL_BYTES = 16_384;
const ID_BYTES = 16;
/** Of the random bytes that an id is made from, the one that becomes its own last. */
const LAST = ID_BYTES - 1;
const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** UUIDv7, from random bytes that are fetched by the thousand. */
export const uuidIds: Ids = {
  runId: (request) => {
    const random = nextRandom();
    if (request !== null) {
      random[LAST] = byteInLane(random[LAST] ?? 0, request.lane, request.laneCount);
    }
    return v7({ random });
  },
};

function nextRandom(): Uint8Array {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.slice(used, used + ID_BYTES);
  used += ID_BYTES;
  return random;
}

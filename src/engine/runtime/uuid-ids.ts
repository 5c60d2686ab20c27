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
const random = new Uint8Array(ID_BYTES);

/** UUIDv7, from random bytes that are fetched by the thousand. */
export const uuidIds: Ids = {
  runId: (request) => {
    const bytes = nextRandom();
    if (request !== null) {
      bytes[LAST] = byteInLane(bytes[LAST] ?? 0, request.lane, request.laneCount);
    }
    return v7({ random: bytes });
  },
};

/** The same bytes each time, filled anew. */
function nextRandom(): Uint8Array {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  for (let index = 0; index < ID_BYTES; index += 1) random[index] = pool[used + index] ?? 0;
  used += ID_BYTES;
  return random;
}

import { LEAST_ID } from '../lists/run-ids.js';
import type { PurgeCursor, PurgedPiece, PurgeEndedRequest, PurgePiece } from './purge-ended.js';

/** Candidates of one look. */
const MOST_LOOKED_AT = 2_000;

const START: PurgeCursor = { endedAt: -1, runId: LEAST_ID };

/**
 * Deletes runs that ended, however many of those before them must stay: it continues where it left off, a piece at a time,
 * and comes around once before it reports that there are no more. So the runs that must stay are looked at once in a while,
 * and not again for each hundred that go.
 */
export class PurgeSweep {
  private cursor = START;

  constructor(private readonly purgePiece: (piece: PurgePiece) => Promise<PurgedPiece>) {}

  /** At most `limit` ids; fewer only when no other run may be purged. */
  async purge(request: PurgeEndedRequest): Promise<readonly string[]> {
    const purged: string[] = [];
    const begunAt = this.cursor;
    let isAround = begunAt === START;
    // The first piece is as large as the request: usually all of its runs may be purged.
    for (let atMost = Math.min(request.limit, MOST_LOOKED_AT); ; atMost = MOST_LOOKED_AT) {
      const limit = request.limit - purged.length;
      const { ids, next } = await this.purgePiece({ ...request, limit, after: this.cursor, atMost });
      purged.push(...ids);
      this.cursor = next ?? START;
      if (purged.length >= request.limit) return purged;
      if (isAround && (next === null || !isBefore(next, begunAt))) return purged;
      if (next === null) isAround = true;
    }
  }
}

function isBefore(one: PurgeCursor, other: PurgeCursor): boolean {
  // A sweep from the start has nothing to come around to: it ends where the candidates do.
  if (other === START) return true;
  return one.endedAt < other.endedAt || (one.endedAt === other.endedAt && one.runId < other.runId);
}

import type { Operation } from './operations/operation.js';
import { purgeOperation } from './operations/log/purge-ended.js';
import type { OperationResult } from './writer/group-commit.js';

/** Candidates of one look, which delays other writes by some milliseconds. */
const MOST_LOOKED_AT = 2_000;

/** A cursor in the order in which runs ended. */
interface PurgeCursor {
  readonly endedAt: number;
  readonly runId: string;
}

const START: PurgeCursor = { endedAt: -1, runId: '' };

export interface PurgeRequest {
  readonly endedBefore: number;
  readonly throughPosition: number | null;
  readonly limit: number;
}

/**
 * Deletes runs that ended, however many of those before them must stay: it continues where it left off, a piece at a time,
 * and comes around once before it reports that there are no more. So the runs that must stay are looked at once in a while,
 * and not again for each hundred that go.
 */
export class PurgeSweep {
  private cursor = START;

  constructor(private readonly submit: (operation: Operation) => Promise<OperationResult>) {}

  /** At most `limit` ids; fewer only when no other run may be purged. */
  async purge(request: PurgeRequest): Promise<readonly string[]> {
    const purged: string[] = [];
    const begunAt = this.cursor;
    let isAround = begunAt === START;
    // The first piece is as large as the request: usually all of its runs may be purged.
    for (let atMost = Math.min(request.limit, MOST_LOOKED_AT); ; atMost = MOST_LOOKED_AT) {
      const limit = request.limit - purged.length;
      const { ids, next } = await this.piece({ ...request, limit }, atMost);
      purged.push(...ids);
      this.cursor = next ?? START;
      if (purged.length >= request.limit) return purged;
      if (isAround && (next === null || !isBefore(next, begunAt))) return purged;
      if (next === null) isAround = true;
    }
  }

  private async piece(
    request: PurgeRequest,
    atMost: number,
  ): Promise<{ readonly ids: readonly string[]; readonly next: PurgeCursor | null }> {
    const result = await this.submit(purgeOperation({ ...request, after: this.cursor, atMost }));
    const [lastEndedAt = '', lastRunId = '', ...ids] = Array.isArray(result) ? (result as string[]) : [];
    return { ids, next: lastRunId === '' ? null : { endedAt: Number(lastEndedAt), runId: lastRunId } };
  }
}

function isBefore(one: PurgeCursor, other: PurgeCursor): boolean {
  // A sweep from the start has nothing to come around to: it ends where the candidates do.
  if (other === START) return true;
  return one.endedAt < other.endedAt || (one.endedAt === other.endedAt && one.runId < other.runId);
}

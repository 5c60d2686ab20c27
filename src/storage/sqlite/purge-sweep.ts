import type { OperationResult } from './writer/group-commit.js';
import { PURGE_ENDED, type Operation } from './writer/operation.js';

/** So long does a look among what must stay keep other writes waiting: some milliseconds. */
const MOST_LOOKED_AT = 2_000;

/** A place in the order in which runs ended. */
interface Place {
  readonly endedAt: number;
  readonly runId: string;
}

const START: Place = { endedAt: -1, runId: '' };

export interface PurgeRequest {
  readonly endedBefore: number;
  readonly throughPosition: number | null;
  readonly limit: number;
}

/**
 * Deletes runs that ended, however many of those before them must stay: it goes on where it left off, a piece at a time,
 * and comes around once before it answers that there are no more. So what must stay is looked at once in a while, and not
 * again for each hundred that go.
 */
export class PurgeSweep {
  private place = START;

  constructor(private readonly submit: (operation: Operation) => Promise<OperationResult>) {}

  /** At most `limit` ids; fewer only when no other run may go. */
  async purge(request: PurgeRequest): Promise<readonly string[]> {
    const purged: string[] = [];
    const begunAt = this.place;
    let isAround = begunAt === START;
    // The first piece is as large as what is asked for: mostly all of those may go.
    for (let atMost = Math.min(request.limit, MOST_LOOKED_AT); ; atMost = MOST_LOOKED_AT) {
      const limit = request.limit - purged.length;
      const { ids, next } = await this.piece({ ...request, limit }, atMost);
      purged.push(...ids);
      this.place = next ?? START;
      if (purged.length >= request.limit) return purged;
      if (isAround && (next === null || !isBefore(next, begunAt))) return purged;
      if (next === null) isAround = true;
    }
  }

  private async piece(
    { endedBefore, throughPosition, limit }: PurgeRequest,
    atMost: number,
  ): Promise<{ readonly ids: readonly string[]; readonly next: Place | null }> {
    const { endedAt, runId } = this.place;
    const operation = [PURGE_ENDED, endedBefore, throughPosition, limit, endedAt, runId, atMost];
    const answer = await this.submit(operation);
    const [lastEndedAt = '', lastRunId = '', ...ids] = Array.isArray(answer) ? (answer as string[]) : [];
    return { ids, next: lastRunId === '' ? null : { endedAt: Number(lastEndedAt), runId: lastRunId } };
  }
}

function isBefore(one: Place, other: Place): boolean {
  // From the start there is nothing to come around to: it ends where the candidates do.
  if (other === START) return true;
  return one.endedAt < other.endedAt || (one.endedAt === other.endedAt && one.runId < other.runId);
}

import { shardOf } from '../../core/ids/shard.js';
import { sleep, waitAtMost, type Clock } from '../../ports/clock.js';
import type { RunIndex, ShardSet } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';

const PAGE = 500;
/** The break between two pages, so that a hundred thousand runs that wait for others take little from those that move. */
const BETWEEN_PAGES_MS = 25;
/** How many runs are looked at, or acted upon, at once. */
const AT_ONCE = 16;
/** A run that takes longer continues next to the following ones. */
const LONGEST_WAIT_MS = 1_000;

export interface MissedNudgesOptions {
  readonly store: Pick<RunIndex, 'listUnfinished'> & Pick<RunLog, 'readRow'>;
  readonly live: Pick<LiveRuns, 'all' | 'peek'>;
  readonly clock: Clock;
  readonly owns: (runId: string) => boolean;
  readonly isClosing: () => boolean;
  /** The runs of this process that somebody here waits for. */
  readonly awaited: () => Iterable<string>;
  /** Whether the run was updated since its shard came here: by a process that believed it to be its own, maybe. */
  readonly isSinceAcquired: (row: RunRow) => boolean;
  /** Looks at the run as a nudge would have it done. False: it could not be read. Never rejects. */
  readonly nudge: (runId: string) => Promise<boolean>;
}

/**
 * Finds the owned runs to which another process appended without a nudge that arrived: it died before it sent one, or the nudge was
 * lost.
 *
 * 1. A run in memory that does nothing at the moment is behind if the store has more events of it. One that is deciding or storing
 *    something finds that out by its next append.
 * 2. Of the others those matter in which something is to be called: whoever appends to a foreign run makes it due at once, and an
 *    append of the owner before may land when the shard is here already. Each is looked at once for each append, as one that waits
 *    for another run, or for a unit, stays so in the store.
 * 3. And those that somebody waits for here and that have stopped: nothing of them would ever move again.
 */
export class MissedNudges {
  /** The runs that were not in memory and looked at, with the seq at which they were; of each shard those of its last look. */
  private lookedAt = new Map<string, number>();

  constructor(private readonly options: MissedNudgesOptions) {}

  /** Looks at the runs of these shards; resolves with how many were behind. One look at a time. Rejects as the store does. */
  async look(shards: ShardSet): Promise<number> {
    const { store, clock, isClosing } = this.options;
    const inMemory = this.runsInMemory(shards);
    const lookedAt = this.lookedAtElsewhere(shards);
    let found = 0;
    for (let afterRunId: string | null = null; !isClosing();) {
      const rows: readonly RunRow[] = await store.listUnfinished({ lanes: shards, afterRunId, limit: PAGE });
      const behind: string[] = [];
      for (const row of rows) {
        const run = inMemory.get(row.runId);
        inMemory.delete(row.runId);
        if (run === undefined ? this.isLeftToUs(row, lookedAt) : isBehind(run, row)) behind.push(row.runId);
      }
      found += await this.actUpon(behind, lookedAt);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      afterRunId = last.runId;
      await sleep(clock, BETWEEN_PAGES_MS);
    }
    this.lookedAt = lookedAt;
    found += await this.lookAtOthers(inMemory);
    return found + (await this.lookAtAwaited(shards));
  }

  private lookedAtElsewhere({ count, lanes }: ShardSet): Map<string, number> {
    const shards = new Set(lanes);
    return new Map([...this.lookedAt].filter(([runId]) => !shards.has(shardOf(runId, count))));
  }

  private runsInMemory({ count, lanes }: ShardSet): Map<string, LiveRun> {
    const shards = new Set(lanes);
    const inMemory = new Map<string, LiveRun>();
    for (const run of this.options.live.all()) {
      if (run.isOwned && shards.has(shardOf(run.runId, count))) inMemory.set(run.runId, run);
    }
    return inMemory;
  }

  /** In the store nothing of these is open: another process may have ended, paused or frozen what is in flight here. */
  private async lookAtOthers(inMemory: ReadonlyMap<string, LiveRun>): Promise<number> {
    const { store, isClosing } = this.options;
    const left = [...inMemory.values()].filter((run) => run.isOwned && run.isSettled);
    let found = 0;
    for (let first = 0; first < left.length && !isClosing(); first += AT_ONCE) {
      const some = left.slice(first, first + AT_ONCE);
      const rows = await Promise.all(some.map(({ runId }) => store.readRow({ runId })));
      const behind = some.filter((run, index) => isBehind(run, rows[index] ?? null));
      found += await this.actUpon(behind.map(({ runId }) => runId));
    }
    return found;
  }

  private async lookAtAwaited({ count, lanes }: ShardSet): Promise<number> {
    const { store, live, owns, awaited, isClosing } = this.options;
    const shards = new Set(lanes);
    const left = [...awaited()].filter(
      (runId) => shards.has(shardOf(runId, count)) && live.peek(runId) === undefined && owns(runId),
    );
    let found = 0;
    for (let first = 0; first < left.length && !isClosing(); first += AT_ONCE) {
      const some = left.slice(first, first + AT_ONCE);
      const rows = await Promise.all(some.map((runId) => store.readRow({ runId })));
      const stopped = some.filter((_, index) => hasStopped(rows[index] ?? null));
      found += await this.actUpon(stopped);
    }
    return found;
  }

  /** Whether another process left something to call in a run that is not in memory, and nobody here has looked at it since. */
  private isLeftToUs(row: RunRow, lookedAt: Map<string, number>): boolean {
    const { owns, live, isSinceAcquired } = this.options;
    const { runId, wakeAt, updatedAt, lastSeq } = row;
    // `appendRequest` makes it due at once.
    if ((wakeAt === null || wakeAt > updatedAt) && !isSinceAcquired(row)) return false;
    lookedAt.set(runId, lastSeq);
    return this.lookedAt.get(runId) !== lastSeq && live.peek(runId) === undefined && owns(runId);
  }

  /** `lookedAt`: what could not be read is taken out, so that the next look tries it again. */
  private async actUpon(runIds: readonly string[], lookedAt?: Map<string, number>): Promise<number> {
    const { nudge, clock } = this.options;
    for (let first = 0; first < runIds.length; first += AT_ONCE) {
      const some = runIds.slice(first, first + AT_ONCE).map(async (runId) => {
        if (!(await nudge(runId))) lookedAt?.delete(runId);
      });
      await waitAtMost(clock, LONGEST_WAIT_MS, Promise.all(some));
    }
    return runIds.length;
  }
}

function hasStopped(row: RunRow | null): boolean {
  return row !== null && row.status !== 'running' && row.status !== 'pending';
}

/** Whether the store has events of a run in memory that memory does not know, while it does nothing itself. */
function isBehind(run: LiveRun, row: RunRow | null): boolean {
  return row !== null && run.isOwned && run.isSettled && row.lastSeq > run.durable.seq;
}

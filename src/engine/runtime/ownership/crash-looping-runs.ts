import { messageOf } from '../../../errors/flowgate-error.js';
import { quarantine } from '../../core/turn/outside-turns.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { CrashCounts, CrashJournal } from '../../ports/store/crash-journal.js';
import type { ShardSet } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunRow } from '../../ports/store/run-row.js';
import { quarantineRequest } from '../mailbox/appending/append-request.js';

/** After this many crashes in a row at the same event of a run it is quarantined. */
const MAX_CRASHES = 3;

export interface CrashLoopingRunsOptions {
  readonly store: Pick<CrashJournal, 'deathsLeftBehind' | 'markAtRisk'> & Pick<RunLog, 'readRow' | 'append'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * Runs that crash the process again and again: by the memory that they need, or by a defect of ours. A run that kills the
 * process at each start would make the service unavailable.
 *
 * 1. After the third crash in a row, with nothing appended to the run in between, it is paused before it is read: a resume
 *    tries again, with a new count.
 * 2. Runs with fewer crashes are taken up sequentially, and last, so that the next crash is counted for its cause.
 */
export class CrashLoopingRuns {
  private readonly suspected = new Set<string>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: CrashLoopingRunsOptions) {}

  /** Assesses the runs in these shards in which processes died. Called before any of their runs is taken over. */
  async assess(shards: ShardSet | null): Promise<void> {
    for (const crashes of await this.options.store.deathsLeftBehind({ shards })) {
      try {
        await this.assessRun(crashes);
      } catch (error) {
        this.suspected.add(crashes.runId);
        this.options.logger.error(
          'A run that keeps ending the process could not be paused; it is tried last',
          {
            runId: crashes.runId,
            error: messageOf(error),
          },
        );
      }
    }
  }

  isSuspected(runId: string): boolean {
    return this.suspected.has(runId);
  }

  /** Does the work at once, or, for a suspected run, after that of the suspected run before it. */
  async alone<T>(runId: string, work: () => Promise<T>): Promise<T> {
    if (!this.suspected.has(runId)) return work();
    const before = this.last;
    const done = before.then(work, work);
    this.last = done;
    try {
      return await done;
    } finally {
      this.suspected.delete(runId);
    }
  }

  private async assessRun({ runId, lastSeq, deaths: crashes }: CrashCounts): Promise<void> {
    const { store } = this.options;
    const row = await store.readRow({ runId });
    const isOver = row === null || row.endedAt !== null;
    if (isOver || row.lastSeq !== lastSeq) {
      forget(store, runId);
      return;
    }
    if (crashes < MAX_CRASHES) this.suspected.add(runId);
    else await this.quarantine(row, crashes);
  }

  /** Works from the row alone: reading the run may be what kills the process. */
  private async quarantine(row: RunRow, crashes: number): Promise<void> {
    const { store, clock, logger } = this.options;
    const { runId, workflowId, namespace } = row;
    const error =
      `Each of the last ${crashes} times that the process worked on this run it died, and nothing of the run was ` +
      'stored between: see whether the run needs more memory than the process has (a smaller input, less in one step, ' +
      'or a larger heap), then resume it to try again.';
    const event = quarantine({ seq: row.lastSeq, at: row.updatedAt }, clock.now(), error);
    const result = await store.append(quarantineRequest(row, event));
    forget(store, runId);
    // Another process appended something meanwhile: with that the count begins anew.
    if (result !== 'appended') return;
    logger.warn('Run needs help', { runId, workflowId, namespace, reason: 'crash-limit', error });
  }
}

/** Resets the run's crash count. */
function forget(store: CrashLoopingRunsOptions['store'], runId: string): void {
  void store.markAtRisk({ runId, doing: 'turn', lastSeq: null });
}

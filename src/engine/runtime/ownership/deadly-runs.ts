import { messageOf } from '../../../errors/flowgate-error.js';
import { stampEvent } from '../../core/log/event-kinds.js';
import type { Paused } from '../../core/waits/pause.js';
import { ROOT_SCOPE } from '../../core/state/scope.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { RunDeaths, RunRow, RunStore } from '../../ports/run-store.js';

/** After so many deaths in a row in the same place of a run it is set aside. */
const MAX_DEATHS = 3;

export interface DeadlyRunsOptions {
  readonly store: Pick<RunStore, 'deathsLeftBehind' | 'readRow' | 'append' | 'markAtRisk'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * Runs in which the process died, again and again: by their memory, or by a defect of ours. What kills the process at
 * each start keeps everybody from the service.
 *
 * 1. After the third death in a row, with nothing of the run appended between, it is paused before it is read: whoever
 *    resumes it tries again, with a new count.
 * 2. The others are taken up one after the other, and last: so the next death is told to the one that caused it.
 */
export class DeadlyRuns {
  private readonly suspects = new Set<string>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: DeadlyRunsOptions) {}

  /** Before any run is taken over. */
  async open(): Promise<void> {
    for (const deaths of await this.options.store.deathsLeftBehind()) {
      try {
        await this.judge(deaths);
      } catch (error) {
        this.suspects.add(deaths.runId);
        this.options.logger.error(
          'A run that keeps ending the process could not be paused; it is tried last',
          {
            runId: deaths.runId,
            error: messageOf(error),
          },
        );
      }
    }
  }

  isSuspect(runId: string): boolean {
    return this.suspects.has(runId);
  }

  /** The work at once, but for a suspect: that waits until the one before is done with. */
  async alone<T>(runId: string, work: () => Promise<T>): Promise<T> {
    if (!this.suspects.has(runId)) return work();
    const before = this.last;
    const done = before.then(work, work);
    this.last = done;
    try {
      return await done;
    } finally {
      this.suspects.delete(runId);
    }
  }

  private async judge({ runId, lastSeq, deaths }: RunDeaths): Promise<void> {
    const { store } = this.options;
    const row = await store.readRow({ runId });
    const isOver = row === null || row.endedAt !== null;
    if (isOver || row.lastSeq !== lastSeq) {
      forget(store, runId);
      return;
    }
    if (deaths < MAX_DEATHS) this.suspects.add(runId);
    else await this.setAside(row, deaths);
  }

  /** What follows from the row alone: reading the run may be what kills the process. */
  private async setAside(row: RunRow, deaths: number): Promise<void> {
    const { store, clock, logger } = this.options;
    const { runId, lastSeq } = row;
    const error =
      `Each of the last ${deaths} times that the process worked on this run it died, and nothing of the run was ` +
      'stored between: see whether the run needs more memory than the process has (a smaller input, less in one step, ' +
      'or a larger heap), then resume it to try again.';
    const at = Math.max(clock.now(), row.updatedAt);
    const paused: Omit<Paused, 'v' | 'seq' | 'at'> = {
      type: 'paused',
      path: '',
      scope: ROOT_SCOPE,
      unitId: '',
      reason: 'crash-limit',
      executionId: null,
      error,
    };
    await store.append({
      runId,
      expectedSeq: lastSeq,
      events: [stampEvent(paused, lastSeq + 1, at)],
      row: { ...row, status: 'paused', updatedAt: at, openExecutions: 0, wakeAt: null, lastSeq: lastSeq + 1 },
      storedState: null,
      idempotency: [],
      labels: null,
      openGates: null,
      decidedGates: null,
      startedFrom: null,
      concernsFamily: row.parentRunId !== null,
    });
    forget(store, runId);
    const { workflowId, namespace } = row;
    logger.warn('Run needs help', { runId, workflowId, namespace, reason: 'crash-limit', error });
  }
}

/** What was counted is taken back. */
function forget(store: DeadlyRunsOptions['store'], runId: string): void {
  store.markAtRisk({ runId, doing: 'turn', lastSeq: null });
}

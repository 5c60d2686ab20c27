import { messageOf } from '../../../errors/flowgate-error.js';
import { StoreError } from '../../../errors/service-errors.js';
import { pending } from '../../core/pending.js';
import type { RunState } from '../../core/state/state.js';
import { isOver } from '../../core/state/status.js';
import { waitAtMost, type Clock } from '../../ports/clock.js';
import type { CallMark, CrashJournal } from '../../ports/store/crash-journal.js';
import { isInShards } from '../../ports/store/in-shards.js';
import type { RunIndex, ShardSet } from '../../ports/store/run-index.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { WaitingForUnits } from '../dispatch/waiting-for-units.js';
import { doublingMs } from '../doubling.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { CrashLoopingRuns } from './crash-looping-runs.js';

const PAGE = 500;
const LOADED_AT_ONCE = 16;
/** A run that takes longer continues next to the following ones. */
const LONGEST_WAIT_MS = 1_000;
/** After a transient fault of the store, loading a run is retried after this time, which doubles each time. */
const RETRY = { firstMs: 1_000, longestMs: 60_000 };

export interface RecoveryOptions {
  readonly store: Pick<RunIndex, 'listUnfinished'> & Pick<CrashJournal, 'callsLeftBehind'>;
  readonly live: LiveRuns;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly waitingForUnits: WaitingForUnits;
  readonly crashLooping: Pick<CrashLoopingRuns, 'isSuspected' | 'alone'>;
  readonly owns: (runId: string) => boolean;
  readonly isClosing: () => boolean;
}

/**
 * Takes over the runs that had something in flight: they are loaded, and their units are called again under the same
 * keys. Runs that wait for a time or for people cost nothing here.
 *
 * 1. Only calls that had begun when a process died count towards a run's recoveries; a shard that was handed over counts
 *    nothing, and neither does a run that waits for a unit that this process does not have.
 * 2. A run that cannot be taken over, or takes long, delays neither the others nor the start of the service. After a
 *    transient fault of the store it is tried again; a run that cannot be read is logged once, and stays as it is.
 * 3. Runs in which the process died before come last, sequentially.
 */
export class Recovery {
  private readonly older = new Set<string>();
  /** Marks of calls by run, until the run is taken over. */
  private readonly marks = new Map<string, CallMark[]>();

  constructor(private readonly options: RecoveryOptions) {}

  /** `older`: runs of a version that did not mark which calls had begun, so that all open ones count, as they did then. */
  open(older: readonly string[]): void {
    for (const runId of older) this.older.add(runId);
  }

  /** Reads the calls that a dead process left behind in these shards. Called before they are taken over. */
  async readMarks(shards: ShardSet | null): Promise<void> {
    for (const mark of await this.options.store.callsLeftBehind({ shards })) {
      const known = this.marks.get(mark.runId);
      if (known === undefined) this.marks.set(mark.runId, [mark]);
      else known.push(mark);
    }
  }

  /** These shards went to another process: what is not taken over by now is nothing of this one any more. */
  forget(shards: ShardSet): void {
    for (const runId of this.marks.keys()) if (isInShards(shards, runId)) this.marks.delete(runId);
  }

  /** Resolves when every run of the shards was tried once. */
  async takeOver(shards: ShardSet | null): Promise<void> {
    const { store, logger, isClosing, crashLooping } = this.options;
    // Includes runs whose call was a retry: those are not listed as unfinished, but found when they are due.
    const marked = new Set([...this.marks.keys()].filter((runId) => isInShards(shards, runId)));
    let taken = await this.recoverAll([...marked].filter((runId) => !crashLooping.isSuspected(runId)));
    const suspected = new Set([...marked].filter((runId) => crashLooping.isSuspected(runId)));
    for (let afterRunId: string | null = null; !isClosing();) {
      const rows: readonly RunRow[] = await store.listUnfinished({ lanes: shards, afterRunId, limit: PAGE });
      const last = rows.at(-1);
      if (last === undefined) break;
      afterRunId = last.runId;
      const left = rows.map(({ runId }) => runId).filter((runId) => !marked.has(runId));
      taken += await this.recoverAll(left.filter((runId) => !crashLooping.isSuspected(runId)));
      for (const runId of left) if (crashLooping.isSuspected(runId)) suspected.add(runId);
    }
    taken += await this.recoverAll([...suspected]);
    if (taken > 0) logger.info('Runs were taken over', { runs: taken });
  }

  /** Removes and returns the calls of the run that had begun when the process died. */
  private begunIn(state: RunState): readonly Pick<CallMark, 'executionId' | 'attempt'>[] {
    const { runId } = state;
    const begun = this.marks.get(runId) ?? [];
    this.marks.delete(runId);
    if (!this.older.delete(runId)) return begun;
    const now = this.options.clock.now();
    return pending(state).flatMap((command) => {
      if (command.type !== 'execute-unit' || command.execution.retryAt > now) return [];
      return [{ executionId: command.execution.id, attempt: command.execution.attempt }];
    });
  }

  /** Takes over these runs, a few at a time, and resolves with how many had not ended. Never rejects. */
  async recoverAll(runIds: readonly string[]): Promise<number> {
    const { clock } = this.options;
    const left = runIds.values();
    let taken = runIds.length;
    const recoverNext = async (): Promise<void> => {
      for (const runId of left) {
        const recovering = this.recover(runId, 1).then((hadEnded) => {
          if (hadEnded) taken -= 1;
        });
        await waitAtMost(clock, LONGEST_WAIT_MS, recovering);
      }
    };
    await Promise.all(Array.from({ length: LOADED_AT_ONCE }, recoverNext));
    return taken;
  }

  /**
   * Takes over one run; also called once a unit that it waited for is registered. Resolves with whether it had ended: the mark of a
   * call may outlive its run by a moment. Never rejects.
   */
  async recover(runId: string, attempt: number): Promise<boolean> {
    const { live, clock, logger, owns, crashLooping } = this.options;
    if (!owns(runId)) return false;
    let hadEnded = false;
    try {
      await crashLooping.alone(runId, () =>
        live.withRun(runId, async (run) => {
          hadEnded = isOver(run.durable);
          const missing = run.dispatcher.missingUnits();
          if (missing.length > 0) {
            for (const uses of missing) this.options.waitingForUnits.add(uses, runId);
            return;
          }
          const begun = this.begunIn(run.durable);
          run.dispatcher.startOver();
          await run.deliver({ type: 'recover', at: clock.now(), begun });
        }),
      );
    } catch (error) {
      const isPassing = error instanceof StoreError && !error.permanent;
      logger.error(
        isPassing
          ? 'A run could not be taken over; it is tried again'
          : 'A run cannot be taken over; it stays as it is',
        { runId, error: messageOf(error) },
      );
      if (!isPassing || this.options.isClosing()) return false;
      clock.schedule(clock.now() + doublingMs(attempt, RETRY), () => void this.recover(runId, attempt + 1));
    }
    return hadEnded;
  }
}

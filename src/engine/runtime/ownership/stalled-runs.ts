import { messageOf } from '../../../errors/flowgate-error.js';
import { StoreError } from '../../../errors/service-errors.js';
import { type PlanUnit, unitOf } from '../../core/plan/plan.js';
import { statusOf } from '../../core/state/status.js';
import type { Wait } from '../../core/state/wait.js';
import type { WaitKindName } from '../../core/waits/kinds.js';
import type { Definition } from '../../definitions/definition.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { RunIndex, ShardSet } from '../../ports/store/run-index.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';

/** Time between looks, and how long a run has to have stalled before anything is logged or done. */
const EVERY_MS = 30_000;
const PAGE = 100;
/** The break between two pages, so that a hundred thousand runs that wait for others cost next to nothing. */
const BETWEEN_PAGES_MS = 250;
/** Above this many at once, others are only looked at once these move. */
const MAX_SUSPECTED = 10_000;

export interface StalledRunsOptions {
  readonly store: Pick<RunIndex, 'listUnfinished' | 'listChildren'>;
  readonly live: LiveRuns;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** The shards of this process; null: all. */
  readonly shards: () => ShardSet | null;
  readonly owns: (runId: string) => boolean;
  /** Whether all runs that had to be taken over have been. */
  readonly hasTakenOver: () => boolean;
  /** Whether this process can call the unit. */
  readonly has: (definition: Definition, unit: PlanUnit) => boolean;
  /** Whether the run waits for an unregistered unit. */
  readonly awaitsUnit: (runId: string) => boolean;
}

/** A run that looked stalled, until it moves. */
interface SuspectedStall {
  readonly seq: number;
  /** When it was first seen (epoch ms). */
  readonly since: number;
  /** The number of the last look that saw it. */
  look: number;
  /** It was examined, and read again if it had stalled. */
  isHandled: boolean;
}

/**
 * Looks for runs of this process that are `running` while nothing will ever move them: there should be none, and callers
 * would wait for one for ever. It is logged as an error, counted, and the run is read again, which takes up whatever its
 * log says.
 *
 * 1. A run counts if it looked stalled in two looks that are 30 s apart, without an event in between; once for each time
 *    that it stalls.
 * 2. Runs in memory are checked directly. Of the others those with open executions are read from the store's index, a page
 *    at a time, and only those without an open child that are not known to wait for a unit are loaded.
 * 3. Runs that wait for people or for a time are not among these, and cost nothing.
 */
export class StalledRuns {
  /** How many stalled runs were found since the process started. */
  found = 0;
  private readonly suspected = new Map<string, SuspectedStall>();
  private looks = 0;
  private cancelTimer: CancelTimer = () => undefined;
  private isStopped = false;

  constructor(private readonly options: StalledRunsOptions) {}

  start(): void {
    if (this.isStopped) return;
    const look = (): void => void this.look().finally(() => this.start());
    this.schedule(EVERY_MS, look);
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimer();
    this.suspected.clear();
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const { hasTakenOver, logger } = this.options;
    if (!hasTakenOver()) return;
    this.looks += 1;
    try {
      this.lookIntoMemory();
      await this.lookIntoStore();
      this.forgetOthers();
      await this.handleThoseThatStay();
    } catch (error) {
      // Trouble with the store is logged elsewhere; a look that fails is not worth more than a debug message.
      if (!this.isStopped) logger.debug('Stalled runs could not be looked for', { error: messageOf(error) });
    }
  }

  private lookIntoMemory(): void {
    const { live, owns } = this.options;
    for (const run of live.all())
      if (owns(run.runId) && this.isStalled(run)) this.suspect(run.runId, run.durable.seq);
  }

  private async lookIntoStore(): Promise<void> {
    const { store, shards } = this.options;
    for (let afterRunId: string | null = null; !this.isStopped;) {
      const rows: readonly RunRow[] = await store.listUnfinished({
        lanes: shards(),
        afterRunId,
        limit: PAGE,
      });
      for (const row of rows) if (await this.mayHaveStalled(row)) this.suspect(row.runId, row.lastSeq);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      afterRunId = last.runId;
      await new Promise<void>((resolve) => this.schedule(BETWEEN_PAGES_MS, resolve));
    }
  }

  /** Judges a run that is not in memory by its row: nothing works on it, though executions are open. */
  private async mayHaveStalled({ runId, status }: RunRow): Promise<boolean> {
    const { store, live, owns, awaitsUnit } = this.options;
    if (this.isStopped || status !== 'running') return false;
    if (live.peek(runId) !== undefined || !owns(runId) || awaitsUnit(runId)) return false;
    const children = await store.listChildren({ parentRunId: runId, afterRunId: null, limit: 1 });
    return children.length === 0;
  }

  private suspect(runId: string, seq: number): void {
    const known = this.suspected.get(runId);
    if (known?.seq === seq) known.look = this.looks;
    else if (known !== undefined || this.suspected.size < MAX_SUSPECTED) {
      const since = this.options.clock.now();
      this.suspected.set(runId, { seq, since, look: this.looks, isHandled: false });
    }
  }

  private forgetOthers(): void {
    for (const [runId, { look }] of this.suspected) if (look !== this.looks) this.suspected.delete(runId);
  }

  private async handleThoseThatStay(): Promise<void> {
    const { clock, live, logger } = this.options;
    for (const [runId, suspected] of this.suspected) {
      if (this.isStopped) return;
      if (suspected.isHandled || clock.now() - suspected.since < EVERY_MS) continue;
      try {
        await live.withRun(runId, (run) => this.handle(run, suspected));
        suspected.isHandled = true;
      } catch (error) {
        // A run that cannot be read at all was logged when it was to be taken over.
        suspected.isHandled = !(error instanceof StoreError) || error.permanent;
        if (!this.isStopped)
          logger.warn('A run that may have stalled could not be read', { runId, error: messageOf(error) });
      }
    }
  }

  private async handle(run: LiveRun, { seq, since }: SuspectedStall): Promise<void> {
    const { clock, logger, owns } = this.options;
    if (this.isStopped || run.durable.seq !== seq || !owns(run.runId) || !this.isStalled(run)) return;
    this.found += 1;
    const { runId, workflowId, namespace } = run;
    logger.error(
      'A run had stalled, with nothing under way that would ever move it: it is read anew. This is a defect of Flowgate: ' +
        'please report it, with an export of the run',
      {
        runId,
        workflowId,
        namespace,
        seq,
        stalledMs: clock.now() - since,
        held: [...run.dispatcher.stages()],
      },
    );
    await run.refresh();
    // The process may have died, or failed, in the middle of a turn.
    await run.deliver({ type: 'continue', at: clock.now() });
  }

  private isStalled(run: LiveRun): boolean {
    const { clock, has } = this.options;
    return isStalled(run, clock.now(), has);
  }

  private schedule(afterMs: number, callback: () => void): void {
    const { clock } = this.options;
    this.cancelTimer = clock.schedule(clock.now() + afterMs, callback, true);
  }
}

/**
 * Whether the run is `running` although nothing will ever move it: nothing of it is under way in this process, which owns
 * it, no future instant will wake it, and it waits neither for a child run nor for a unit that this process does not have
 * (`has`). Costs as much as there are waits, but nothing for a run that is under way.
 */
function isStalled(
  run: LiveRun,
  now: number,
  has: (definition: Definition, unit: PlanUnit) => boolean,
): boolean {
  const { definition, durable } = run;
  if (run.isUnderWay || statusOf(durable) !== 'running') return false;
  // The grace of a cancel ends by itself.
  if (durable.cancelling !== null && durable.cancelling.graceUntil > now) return false;
  return !durable.waits.some((wait) =>
    isWaitedFor(wait, now, (at) => has(definition, unitOf(definition.plan, at.path))),
  );
}

/** Whether the clock, another run or the registration of a unit will end the wait, or let it begin. */
function isWaitedFor(wait: Wait, now: number, has: (wait: Wait) => boolean): boolean {
  return WAITED_FOR[wait.kind as WaitKindName](wait, now, has);
}

const untilItsInstant = ({ dueAt }: Wait): boolean => dueAt !== null;

const WAITED_FOR: { readonly [K in WaitKindName]: typeof isWaitedFor } = {
  execution: (wait, now, has) => wait.heldBy === null && ((wait.dueAt ?? 0) > now || !has(wait)),
  child: ({ standing }) => standing === 'in-flight',
  gate: untilItsInstant,
  timer: untilItsInstant,
  pause: untilItsInstant,
  deadline: untilItsInstant,
};

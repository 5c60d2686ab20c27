import { messageOf } from '../../../errors/flowgate-error.js';
import { StoreError } from '../../../errors/service-errors.js';
import type { PlanUnit } from '../../core/plan/plan.js';
import type { Definition } from '../../definitions/definition.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { LaneSet, RunRow, RunStore } from '../../ports/run-store.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import { isStalled } from './standstill.js';

/** Also how long a run has to have stalled before anything is said or done. */
const EVERY_MS = 30_000;
const PAGE = 100;
/** Between two pages, so that a hundred thousand runs that wait for others cost next to nothing. */
const BETWEEN_PAGES_MS = 250;
/** Beyond so many at once, others are looked at once these move. */
const MAX_SUSPECTS = 10_000;

export interface StalledRunsOptions {
  readonly store: Pick<RunStore, 'listUnfinished' | 'listChildren'>;
  readonly live: LiveRuns;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** The lanes of this process; null: all. */
  readonly lanes: () => LaneSet | null;
  readonly owns: (runId: string) => boolean;
  /** Whether every run that was to be taken over has been. */
  readonly hasTakenOver: () => boolean;
  /** Whether this process can call the unit. */
  readonly has: (definition: Definition, unit: PlanUnit) => boolean;
  /** Whether the run waits for a unit that nobody registered. */
  readonly awaitsUnit: (runId: string) => boolean;
}

/** A run that looked stalled, until it moves. */
interface Suspect {
  readonly seq: number;
  /** When it was seen first. */
  readonly since: number;
  /** In which look it was seen last. */
  look: number;
  /** It was looked into, and read anew where it had stalled. */
  isMet: boolean;
}

/**
 * Looks for runs of this process that are `running` while nothing will ever move them: there should be none, and whoever
 * waits for one would wait for ever. It is said as an error, counted, and the run is read anew, which takes up whatever
 * its log says.
 *
 * 1. A run counts once it looked stalled in two looks that are 30 s apart, without an event in between; once for each
 *    time that it stalls.
 * 2. Runs in memory are asked; of the others those that have open executions are read from the store's index, a page at a
 *    time, and only what has no open child, and is not known to wait for a unit, is loaded.
 * 3. What waits for people or for an instant is not among these, and costs nothing.
 */
export class StalledRuns {
  /** How many were found since the process began. */
  found = 0;
  private readonly suspects = new Map<string, Suspect>();
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
    this.suspects.clear();
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
      await this.meetThoseThatStay();
    } catch (error) {
      // Whoever has trouble with the store says so; a look that comes to nothing is no news to anybody.
      if (!this.isStopped) logger.debug('Stalled runs could not be looked for', { error: messageOf(error) });
    }
  }

  private lookIntoMemory(): void {
    const { live, owns } = this.options;
    for (const run of live.all())
      if (owns(run.runId) && this.isStalled(run)) this.suspect(run.runId, run.durable.seq);
  }

  private async lookIntoStore(): Promise<void> {
    const { store, lanes } = this.options;
    for (let afterRunId: string | null = null; !this.isStopped;) {
      const rows: readonly RunRow[] = await store.listUnfinished({ lanes: lanes(), afterRunId, limit: PAGE });
      for (const row of rows) if (await this.mayHaveStalled(row)) this.suspect(row.runId, row.lastSeq);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      afterRunId = last.runId;
      await new Promise<void>((resolve) => this.schedule(BETWEEN_PAGES_MS, resolve));
    }
  }

  /** What its row says of a run that is not in memory: nobody is at it, though executions are open. */
  private async mayHaveStalled({ runId, status }: RunRow): Promise<boolean> {
    const { store, live, owns, awaitsUnit } = this.options;
    if (this.isStopped || status !== 'running') return false;
    if (live.peek(runId) !== undefined || !owns(runId) || awaitsUnit(runId)) return false;
    const children = await store.listChildren({ parentRunId: runId, afterRunId: null, limit: 1 });
    return children.length === 0;
  }

  private suspect(runId: string, seq: number): void {
    const known = this.suspects.get(runId);
    if (known?.seq === seq) known.look = this.looks;
    else if (known !== undefined || this.suspects.size < MAX_SUSPECTS) {
      const since = this.options.clock.now();
      this.suspects.set(runId, { seq, since, look: this.looks, isMet: false });
    }
  }

  private forgetOthers(): void {
    for (const [runId, { look }] of this.suspects) if (look !== this.looks) this.suspects.delete(runId);
  }

  private async meetThoseThatStay(): Promise<void> {
    const { clock, live, logger } = this.options;
    for (const [runId, suspect] of this.suspects) {
      if (this.isStopped) return;
      if (suspect.isMet || clock.now() - suspect.since < EVERY_MS) continue;
      try {
        await live.withRun(runId, (run) => this.meet(run, suspect));
        suspect.isMet = true;
      } catch (error) {
        // What cannot be read at all was said when it was to be taken over.
        suspect.isMet = !(error instanceof StoreError) || error.permanent;
        if (!this.isStopped)
          logger.warn('A run that may have stalled could not be read', { runId, error: messageOf(error) });
      }
    }
  }

  private async meet(run: LiveRun, { seq, since }: Suspect): Promise<void> {
    const { clock, logger, owns } = this.options;
    if (this.isStopped || run.durable.seq !== seq || !owns(run.runId) || !this.isStalled(run)) return;
    this.found += 1;
    const { runId, workflowId, namespace } = run;
    logger.error(
      'A run had stalled, with nothing under way that would ever move it: it is read anew. This is a defect of Flowgate: ' +
        'please report it, with an export of the run',
      { runId, workflowId, namespace, seq, stalledMs: clock.now() - since, held: [...run.dispatcher.held()] },
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

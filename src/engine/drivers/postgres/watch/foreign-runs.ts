import { messageOf } from '../../../../errors/flowgate-error.js';
import { shardOf } from '../../../core/ids/shard.js';
import type { CancelTimer, Clock } from '../../../ports/clock.js';
import type { EngineLogger } from '../../../ports/logger.js';
import type { RunDriver } from '../../../ports/run-driver.js';
import type { RunWaiters } from '../../../scheduling/run-waiters.js';
import type { ReplicaLink } from '../notifications/replica-link.js';
import { isStoredRunId } from '../notifications/replica-message.js';
import type { DriverDatabase } from '../session.js';
import { LAST_SEQS } from '../statements.js';

const ASK_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** Between a look that took long and the next one. */
const SHORTEST_PAUSE_MS = 250;
/** Each time after so many looks own runs are looked at, too: others append to those, and their nudges may be lost. */
const OWN_EVERY = 5;
const LOOKED_AT_ONCE = 1_000;
/** Beyond this a look takes them in rounds: who waits for one of so many is woken later. */
const MAX_LOOKED_AT = 10_000;

export interface ForeignRunsOptions {
  readonly waiters: RunWaiters;
  readonly driver: Pick<RunDriver, 'owns' | 'shardCount'>;
  readonly link: Pick<ReplicaLink, 'replica' | 'toShard'>;
  readonly database: Pick<DriverDatabase, 'query'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * Sees to it that those who wait here for runs of other replicas are woken: the owner is asked to notify this replica, and next to
 * that the store is looked at every second, so that they are woken within 1.5 s where nobody notifies. It does nothing while nobody
 * waits for a run.
 *
 * A run that was foreign is looked at until a look has succeeded that began while it was ours: what its last owner appended, nobody
 * tells of any more.
 */
export class ForeignRuns {
  /** When the owner was asked last, by run. Some of them are waited for no longer. */
  private readonly askedAt = new Map<string, number>();
  /** Runs that were foreign when somebody began to wait, or at the last look. */
  private wereForeign = new Set<string>();
  /** The look that comes next, or is under way. */
  private cancelLook: CancelTimer | null = null;
  private isLooking = false;
  private isFailing = false;
  private isClosed = false;
  private round = 0;
  private looks = 0;

  constructor(private readonly options: ForeignRunsOptions) {}

  /** Somebody waits for the run from now on. */
  awaited(runId: string): void {
    if (this.isClosed) return;
    if (this.isForeign(runId)) {
      this.wereForeign.add(runId);
      this.ask(runId);
    }
    this.nextLookAt(this.options.clock.now() + LOOK_EVERY_MS);
  }

  close(): void {
    this.isClosed = true;
    this.cancelLook?.();
    this.askedAt.clear();
    this.wereForeign.clear();
  }

  private isForeign(runId: string): boolean {
    return isStoredRunId(runId) && !this.options.driver.owns(runId);
  }

  /** The owner forgets it after a while, and so does one that owns it only since: it is repeated. */
  private ask(runId: string): void {
    const { clock, driver, link } = this.options;
    const now = clock.now();
    const last = this.askedAt.get(runId);
    if (last !== undefined && now - last < ASK_EVERY_MS) return;
    if (last === undefined && this.askedAt.size >= MAX_LOOKED_AT) this.forgetAsked(0);
    if (last === undefined && this.askedAt.size >= MAX_LOOKED_AT) return;
    this.askedAt.set(runId, now);
    link.toShard(shardOf(runId, driver.shardCount), { type: 'watch', runId, replica: link.replica });
  }

  private nextLookAt(at: number): void {
    if (this.isClosed || this.isLooking || this.cancelLook !== null) return;
    this.cancelLook = this.options.clock.schedule(at, () => {
      this.cancelLook = null;
      void this.look();
    });
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const { waiters, clock, logger } = this.options;
    const begunAt = clock.now();
    this.isLooking = true;
    this.looks += 1;
    const awaited = waiters.runs().filter(isStoredRunId);
    const foreign = new Set(awaited.filter((runId) => this.isForeign(runId)));
    const before = this.wereForeign;
    // Those that somebody begins to wait for during the look are added to it.
    this.wereForeign = new Set(foreign);
    for (const runId of foreign) this.ask(runId);
    this.forgetAsked(ASK_EVERY_MS);
    const isOfAll = this.looks % OWN_EVERY === 0;
    const looked = awaited.filter((runId) => isOfAll || foreign.has(runId) || before.has(runId));
    try {
      for (const batch of batchesOf(this.nextOf(looked))) await this.lookAt(batch);
      this.isFailing = false;
      if (looked.length > MAX_LOOKED_AT) this.addForeign(before);
    } catch (error) {
      this.addForeign(before);
      if (!this.isFailing && !this.isClosed) {
        logger.warn('Runs of other replicas could not be looked at; those who wait for them wait longer', {
          error: messageOf(error),
        });
      }
      this.isFailing = true;
    }
    this.isLooking = false;
    if (waiters.runs().length === 0) {
      this.wereForeign.clear();
      return;
    }
    this.nextLookAt(Math.max(begunAt + LOOK_EVERY_MS, clock.now() + SHORTEST_PAUSE_MS));
  }

  private async lookAt(runIds: readonly string[]): Promise<void> {
    const { database, waiters } = this.options;
    for (const row of await database.query(LAST_SEQS, [runIds.join(',')])) {
      waiters.wake(String(row['run_id']), Number(row['last_seq']));
    }
  }

  /** All of them, or, where they are too many, the next ones. */
  private nextOf(runIds: readonly string[]): readonly string[] {
    if (runIds.length <= MAX_LOOKED_AT) return runIds;
    const from = (this.round * MAX_LOOKED_AT) % runIds.length;
    this.round += 1;
    return [...runIds.slice(from), ...runIds.slice(0, from)].slice(0, MAX_LOOKED_AT);
  }

  private addForeign(runIds: ReadonlySet<string>): void {
    for (const runId of runIds) if (this.options.waiters.has(runId)) this.wereForeign.add(runId);
  }

  /** Who waits again within `afterMs` need not ask again. */
  private forgetAsked(afterMs: number): void {
    const { clock, waiters } = this.options;
    const now = clock.now();
    for (const [runId, at] of this.askedAt) {
      if (now - at >= afterMs && !waiters.has(runId)) this.askedAt.delete(runId);
    }
  }
}

function batchesOf(runIds: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(runIds.length / LOOKED_AT_ONCE) }, (_, index) =>
    runIds.slice(index * LOOKED_AT_ONCE, (index + 1) * LOOKED_AT_ONCE),
  );
}

import type { Clock } from '../../../ports/clock.js';
import type { EngineLogger } from '../../../ports/logger.js';
import type { RunDriver } from '../../../ports/run-driver.js';
import type { RunWatch } from '../../../ports/run-watch.js';
import { RunWaiters } from '../../../scheduling/run-waiters.js';
import { EndOfLog } from './end-of-log.js';
import { ForeignRuns } from './foreign-runs.js';
import type { ReplicaLink } from '../notifications/replica-link.js';
import type { ReplicaMessage } from '../notifications/replica-message.js';
import type { DriverDatabase } from '../session.js';
import { steadyClock } from '../steady-clock.js';
import { WatchingReplicas } from './watching-replicas.js';

export interface PostgresRunWatchOptions {
  /** The driver of the same engine: a `PostgresDriver`. */
  readonly driver: Pick<RunDriver, 'owns' | 'shardCount'> & { readonly link: ReplicaLink };
  readonly database: Pick<DriverDatabase, 'query'>;
  /** The store's. */
  readonly lastPosition: () => Promise<number>;
  /** Must not throw. */
  readonly logger: EngineLogger;
  /** Default: the machine's steady one. */
  readonly clock?: Clock;
}

/**
 * The watch of one of many replicas. Own appends are announced within the process; those of others arrive as notifications of the
 * run's owner (`watching-replicas.ts`), or are found by looking at the store (`foreign-runs.ts`, `end-of-log.ts`), whichever is
 * first.
 */
export class PostgresRunWatch implements RunWatch {
  private readonly waiters = new RunWaiters();
  private readonly watching: WatchingReplicas;
  private readonly foreign: ForeignRuns;
  private readonly endOfLog: EndOfLog;
  private readonly driver: PostgresRunWatchOptions['driver'];
  private isClosed = false;

  constructor(options: PostgresRunWatchOptions) {
    const { driver, database, lastPosition, logger, clock = steadyClock } = options;
    const { waiters } = this;
    const { link } = driver;
    this.driver = driver;
    this.watching = new WatchingReplicas({ link, clock });
    this.foreign = new ForeignRuns({ waiters, driver, link, database, clock, logger });
    this.endOfLog = new EndOfLog({
      lastPosition,
      isAwaited: () => waiters.has(null),
      moved: () => waiters.wake(null, Infinity),
      clock,
      logger,
    });
    link.hear((message) => this.heard(message));
  }

  /** The number of waiters. */
  get waiting(): number {
    return this.waiters.count;
  }

  /** How many runs of this replica others wait for. */
  get watchedElsewhere(): number {
    return this.watching.size;
  }

  waitFor(request: Parameters<RunWatch['waitFor']>[0]): Promise<void> {
    const waiting = this.waiters.wait(request);
    const { runId, signal } = request;
    if (signal.aborted || this.isClosed) return waiting;
    if (runId === null) this.endOfLog.awaited();
    else this.foreign.awaited(runId);
    return waiting;
  }

  announce(append: Parameters<RunWatch['announce']>[0]): void {
    this.waiters.announce(append);
    this.watching.appended(append.runId, append.seq);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.foreign.close();
    this.endOfLog.close();
    this.watching.close();
    this.waiters.wakeAll();
  }

  private heard(message: ReplicaMessage): void {
    if (this.isClosed) return;
    switch (message.type) {
      case 'nudge':
        // Somebody else appended to a run that is owned here: who waits here, or elsewhere, was not notified by that process.
        this.waiters.announce({ runId: message.runId, seq: Infinity });
        this.watching.appended(message.runId, Infinity);
        return;
      case 'watch':
        if (this.driver.owns(message.runId)) this.watching.add(message.runId, message.replica);
        return;
      case 'appended':
        for (const { runId, seq } of message.runs) this.waiters.wake(runId, seq);
        return;
      case 'freed':
      case 'access':
        return;
    }
  }
}

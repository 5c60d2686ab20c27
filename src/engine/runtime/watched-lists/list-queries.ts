import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../../errors/flowgate-error.js';
import { sleep, type Clock } from '../../ports/clock.js';
import type { CommitLog } from '../../ports/store/commit-log.js';
import type { RunIndex } from '../../ports/store/run-index.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import { Semaphore } from '../../scheduling/semaphore.js';
import { longWork } from '../../scheduling/yielder.js';
import type { EngineLogger } from '../logger.js';
import { LogCursor, type CursorLog } from '../log-cursor.js';
import type { LogTail } from '../streams/log-tail.js';
import type { NotifiedEntry } from '../streams/notified-entry.js';
import type { Schedule } from './coalesced-read.js';
import { ListQuery } from './list-query.js';
import { madeOnce } from './made-once.js';
import type { ChangedRun, WatchedList } from './watched-list.js';

/** How long the reader waits after a fault of the store. */
const TRY_AGAIN_MS = 1_000;
/** The break between two reads of the same page. */
const BREAK_MS = 100;
/** At most so many first pages are read at once, however many different ones are requested. */
const FIRST_PAGES_AT_ONCE = 2;

export interface ListQueriesOptions {
  readonly tail: Pick<LogTail, 'join' | 'leave' | 'read' | 'wait' | 'hasLost' | 'end'>;
  readonly store: Pick<CommitLog, 'lastPosition'> & Pick<RunIndex, 'readListed'>;
  readonly background: Pick<BackgroundWork, 'run'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

interface OpenQuery {
  readonly query: ListQuery<unknown>;
  clients: number;
}

/**
 * The distinct lists that are watched. One cursor into the log serves all of them, and a run that has changed is read once for
 * all. Once the cursor has fallen behind, all clients are shown their lists again.
 */
export class ListQueries {
  private readonly queries = new Map<string, OpenQuery>();
  private clients = 0;
  /** Null: no list is watched. */
  private reading: AbortController | null = null;
  private readonly firstPages = new Semaphore(FIRST_PAGES_AT_ONCE);

  constructor(private readonly options: ListQueriesOptions) {}

  /** Once it resolves, the query sees what changes; then, and only then, `leave` must follow. */
  async open<Item>(list: WatchedList<Item>): Promise<ListQuery<Item>> {
    const position = await this.options.tail.join();
    const open = this.queries.get(list.key) ?? this.add(list);
    open.clients += 1;
    this.clients += 1;
    if (this.reading === null) {
      this.reading = new AbortController();
      void this.read(new LogCursor(this.log(), position), this.reading.signal);
    }
    // Lists with the same key have the same items.
    return open.query as ListQuery<Item>;
  }

  leave({ key }: Pick<WatchedList<unknown>, 'key'>): void {
    this.options.tail.leave();
    this.clients -= 1;
    if (this.clients === 0) this.close();
    const open = this.queries.get(key);
    if (open === undefined) return;
    open.clients -= 1;
    // Nothing is looked up any more for clients that are gone.
    if (open.clients === 0) open.query.loseAll();
    this.drop(key, open);
  }

  /** No list is notified any more. */
  close(): void {
    this.reading?.abort();
    this.reading = null;
  }

  private add<Item>(list: WatchedList<Item>): OpenQuery {
    const { store, clock, background } = this.options;
    const query = new ListQuery(list, {
      store,
      clock,
      background,
      first: this.amongFirst(list.namespace),
      // The break spares the process, so it does not follow the clock of the runs.
      takeBreak: () => delay(BREAK_MS, undefined, { ref: false }),
      onIdle: () => this.drop(list.key, open),
    });
    const open: OpenQuery = { query: query as unknown as ListQuery<unknown>, clients: 0 };
    this.queries.set(list.key, open);
    return open;
  }

  /** Lists of one namespace wait for one another; those of others come in between. */
  private amongFirst(caller: string): Schedule {
    return (read, isWanted) =>
      this.firstPages.run(
        async () => {
          // Thousands of clients may have left, for whom there is no work.
          if (isWanted()) await longWork.next();
          return read();
        },
        { caller },
      );
  }

  /** A list that nobody watches stays while a page of it is scheduled, for clients that come again meanwhile. */
  private drop(key: string, open: OpenQuery): void {
    if (open.clients === 0 && open.query.isIdle) this.queries.delete(key);
  }

  private log(): CursorLog<NotifiedEntry> {
    const { tail } = this.options;
    return {
      wait: (position, signal) => tail.wait(position, signal),
      read: (position) => {
        if (!tail.hasLost(position)) return tail.read(position);
        for (const { query } of this.queries.values()) query.loseAll();
        return tail.read(tail.end);
      },
    };
  }

  private async read(cursor: LogCursor<NotifiedEntry>, signal: AbortSignal): Promise<void> {
    const { background, clock, logger } = this.options;
    let failures = 0;
    while (!signal.aborted) {
      try {
        for await (const entries of cursor.pages(signal)) {
          await background.run(() => this.notify(entries, signal));
          failures = 0;
        }
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        if (failures === 1) {
          const fields = { error: messageOf(error) };
          logger.warn('Lists that are watched are not up to date: it is tried again until they are', fields);
        }
        await sleep(clock, TRY_AGAIN_MS, signal);
      }
    }
  }

  private async notify(entries: readonly NotifiedEntry[], signal: AbortSignal): Promise<void> {
    const { store } = this.options;
    const runs = new Map<string, ChangedRun>();
    for (const { runId } of entries) {
      if (!runs.has(runId)) runs.set(runId, { runId, listed: madeOnce(() => store.readListed({ runId })) });
    }
    for (const entry of entries) {
      const run = runs.get(entry.runId);
      if (run === undefined) continue;
      for (const { query } of this.queries.values()) {
        const seeing = query.see(entry, run);
        if (seeing !== null) await seeing;
      }
      if (signal.aborted) return;
    }
    await longWork.next();
  }
}

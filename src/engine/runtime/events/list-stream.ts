import { setTimeout as delay } from 'node:timers/promises';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import { sleep, type Clock } from '../../ports/clock.js';
import { deepFreeze } from '../../core/freeze.js';
import { nextTurn } from '../../ports/turns.js';
import type { ListChange } from '../../run-lists.js';
import { AtMost } from '../children/at-most.js';
import type { AtLeisure } from './at-leisure.js';
import type { ListNews } from './list-news.js';
import type { ListWatcher, PendingRun } from './list-watcher.js';
import { OpenStreams } from './open-streams.js';
import { SharedPageKeys } from './page-keys.js';
import { SharedReads } from './shared-reads.js';
import { untilLeft } from './until-left.js';

/** At most four frames a second. */
const FRAME_MS = 250;
/** A list that changes all the time is shown anew so often at most. */
const ANEW_MS = 1_000;

/** A page is not read again sooner after it was. */
const REST_MS = 100;

/** So many pages are read at once for those who have seen nothing yet, however many different ones they ask for. */
const FIRST_PAGES_AT_ONCE = 2;

/** It spares the process, so it is no matter of the clock that runs go by. */
const betweenReads = (): Promise<void> => delay(REST_MS, undefined, { ref: false });

/** A list, as one who watches it needs it. */
export interface WatchedList<Item> {
  readonly watcher: ListWatcher;
  /** Of the same key is the same first page. */
  readonly key: string;
  page(): Promise<{ readonly items: readonly Item[]; readonly next: string | null }>;
  runIdOf(item: Item): string;
  /** Unique within its run. */
  keyOf(item: Item): string;
  /** What has become of the items of a run, for one who knows those of these keys. */
  changes(run: PendingRun, known: ReadonlySet<string>): Promise<readonly KeyedChange<Item>[]>;
}

export interface KeyedChange<Item> {
  readonly key: string;
  /** The same: there is nothing new to tell. Null: nobody can say. */
  readonly version: number | null;
  readonly change: ListChange<Item> & { readonly type: 'upsert' | 'remove' };
}

export interface ListStreamOptions {
  readonly news: Pick<ListNews, 'add' | 'remove' | 'close'>;
  readonly leisure: Pick<AtLeisure, 'run'>;
  readonly clock: Clock;
}

/**
 * Tells what becomes of a list. First comes all of its first page, and again whenever more has changed than can be told
 * one by one. What is told of a run is how it stands then: of what happened in between nothing is. Whoever leaves is let go
 * of at once, whatever he waits for.
 */
export class ListStream {
  private readonly open = new OpenStreams();
  /** Of those who have seen nothing yet. */
  private readonly first = new SharedReads(
    (read, isWanted) =>
      this.firstPages.run(async () => {
        // Thousands may have left, and are no work.
        if (isWanted()) await nextTurn();
        return read();
      }),
    betweenReads,
  );
  private readonly firstPages = new AtMost(FIRST_PAGES_AT_ONCE);
  private readonly anew: SharedReads;
  private readonly pageKeys = new SharedPageKeys();

  constructor(private readonly options: ListStreamOptions) {
    this.anew = new SharedReads((read) => options.leisure.run(read), betweenReads);
  }

  close(): void {
    this.open.close();
    this.options.news.close();
  }

  async *watch<Item>(
    make: () => WatchedList<Item>,
    given: AbortSignal | undefined,
  ): AsyncGenerator<ListChange<Item>, void, void> {
    const { news, clock } = this.options;
    const list = make();
    const { watcher } = list;
    const { signal, release } = this.open.add(given);
    const rest = (ms: number) => sleep(clock, Math.max(0, ms), signal);
    let isAdded = false;
    try {
      if (signal.aborted) return;
      await news.add(watcher);
      isAdded = true;
      // In no variable: a generator would keep the page there until there is something else.
      yield await this.snapshot(list, this.first, signal);
      let shownAt = clock.now();
      for (await rest(FRAME_MS); !signal.aborted;) {
        await watcher.news(signal);
        if (watcher.isDue) {
          await rest(shownAt + ANEW_MS - clock.now());
          if (signal.aborted) return;
          yield await this.snapshot(list, this.anew, signal);
          shownAt = clock.now();
          await rest(FRAME_MS);
          continue;
        }
        const run = watcher.take();
        if (run === null) continue;
        const known = watcher.knownOf(run.runId);
        const changes = await this.atLeisure(() => list.changes(run, known), signal);
        for (const { key, version, change } of changes) {
          if (signal.aborted) return;
          if (version !== null && watcher.versionOf(run.runId, key) === version) continue;
          if (change.type === 'upsert') watcher.learn(run.runId, key, version);
          else watcher.unlearn(run.runId, key);
          yield change;
          await rest(FRAME_MS);
        }
      }
    } catch (error) {
      // Whoever has left is told of no fault either.
      if (!signal.aborted) throw error;
    } finally {
      if (isAdded) news.remove(watcher);
      release();
    }
  }

  /** The page is read once for many; that each of them is told it costs more, and gives way to runs as well. */
  private async snapshot<Item>(
    list: WatchedList<Item>,
    reads: SharedReads,
    signal: AbortSignal,
  ): Promise<ListChange<Item>> {
    const { watcher, key } = list;
    const asked = { read: () => this.shownPage(list), onBegin: () => watcher.beginAnew() };
    const shown = await reads.read(key, asked, signal);
    const tell = async (): Promise<ListChange<Item>> => {
      await watcher.hasBegun(shown.keys);
      return shown.change;
    };
    return reads === this.anew ? this.atLeisure(tell, signal) : untilLeft(tell(), signal);
  }

  /** Rejects as soon as he has left; what he waited for is not done then. */
  private atLeisure<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const wanted = async (): Promise<Result> => {
      signal.throwIfAborted();
      return work();
    };
    return untilLeft(this.options.leisure.run(wanted), signal);
  }

  /** Many are told the same object, so nobody may change it. */
  private async shownPage<Item>(list: WatchedList<Item>) {
    const { items, next } = await list.page();
    const keys = new Map<string, Set<string>>();
    for (const item of items) {
      const runId = list.runIdOf(item);
      const known = keys.get(runId);
      if (known === undefined) keys.set(runId, new Set([list.keyOf(item)]));
      else known.add(list.keyOf(item));
    }
    const change = deepFreeze({ type: 'snapshot' as const, items, next });
    return { change, keys: this.pageKeys.share(list.key, keys) };
  }
}

/** A list that is watched has no pages. Throws an `InvalidRequestError`. */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new InvalidRequestError('A list that is watched begins with its first page: leave cursor out');
}

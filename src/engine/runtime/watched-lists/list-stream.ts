import { setTimeout as delay } from 'node:timers/promises';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import { sleep, type Clock } from '../../ports/clock.js';
import { deepFreeze } from '../../core/freeze.js';
import { longWork } from '../../scheduling/yielder.js';
import type { ListChange } from '../../run-lists.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import type { ListNotifier } from './list-notifier.js';
import type { ListWatcher, PendingRun } from './list-watcher.js';
import { OpenStreams } from '../streams/open-streams.js';
import { SharedPageKeys } from './page-keys.js';
import { CoalescedReads } from './coalesced-reads.js';
import { untilLeft } from './until-left.js';
import { Semaphore } from '../../scheduling/semaphore.js';

/** At most four frames a second. */
const FRAME_MS = 250;
/** A list that changes all the time is shown again at most this often. */
const ANEW_MS = 1_000;

/** The break between two reads of the same page. */
const BREAK_MS = 100;

/** At most so many first pages are read at once, however many different ones are requested. */
const FIRST_PAGES_AT_ONCE = 2;

/** The break spares the process, so it does not follow the clock of the runs. */
const betweenReads = (): Promise<void> => delay(BREAK_MS, undefined, { ref: false });

/** A list, as a stream of it needs it. */
export interface WatchedList<Item> {
  readonly watcher: ListWatcher;
  /** Lists with the same key have the same first page. */
  readonly key: string;
  page(): Promise<{ readonly items: readonly Item[]; readonly next: string | null }>;
  runIdOf(item: Item): string;
  /** Unique within its run. */
  keyOf(item: Item): string;
  /** How the items of a run have changed, for a client that knows those with these keys. */
  changes(run: PendingRun, known: ReadonlySet<string>): Promise<readonly KeyedChange<Item>[]>;
}

export interface KeyedChange<Item> {
  readonly key: string;
  /** The same version as before: nothing has changed. Null: unknown. */
  readonly version: number | null;
  readonly change: ListChange<Item> & { readonly type: 'upsert' | 'remove' };
}

export interface ListStreamOptions {
  readonly notifier: Pick<ListNotifier, 'add' | 'remove' | 'close'>;
  readonly background: Pick<BackgroundWork, 'run'>;
  readonly clock: Clock;
}

/**
 * Streams the changes of a list: first all of its first page, and again whenever more has changed than can be sent
 * individually. A change shows the run as it is at that time, not what happened in between. A client that leaves is released
 * at once, whatever it waits for.
 */
export class ListStream {
  private readonly open = new OpenStreams();
  /** The reads for clients that have seen nothing yet. */
  private readonly first = new CoalescedReads(
    (read, isWanted) =>
      this.firstPages.run(async () => {
        // Thousands of clients may have left, for whom there is no work.
        if (isWanted()) await longWork.next();
        return read();
      }),
    betweenReads,
  );
  private readonly firstPages = new Semaphore(FIRST_PAGES_AT_ONCE);
  private readonly anew: CoalescedReads;
  private readonly pageKeys = new SharedPageKeys();

  constructor(private readonly options: ListStreamOptions) {
    this.anew = new CoalescedReads((read) => options.background.run(read), betweenReads);
  }

  close(): void {
    this.open.close();
    this.options.notifier.close();
  }

  async *watch<Item>(
    make: () => WatchedList<Item>,
    given: AbortSignal | undefined,
  ): AsyncGenerator<ListChange<Item>, void, void> {
    const { notifier, clock } = this.options;
    const list = make();
    const { watcher } = list;
    const { signal, release } = this.open.add(given);
    const wait = (ms: number) => sleep(clock, Math.max(0, ms), signal);
    let isAdded = false;
    try {
      if (signal.aborted) return;
      await notifier.add(watcher);
      isAdded = true;
      // The page is kept in no variable: the generator would hold it in memory until there is another one.
      yield await this.snapshot(list, this.first, signal);
      let shownAt = clock.now();
      for (await wait(FRAME_MS); !signal.aborted;) {
        await watcher.notification(signal);
        if (watcher.isDue) {
          await wait(shownAt + ANEW_MS - clock.now());
          if (signal.aborted) return;
          yield await this.snapshot(list, this.anew, signal);
          shownAt = clock.now();
          await wait(FRAME_MS);
          continue;
        }
        const run = watcher.take();
        if (run === null) continue;
        const known = watcher.knownOf(run.runId);
        const changes = await this.inBackground(() => list.changes(run, known), signal);
        for (const { key, version, change } of changes) {
          if (signal.aborted) return;
          if (version !== null && watcher.versionOf(run.runId, key) === version) continue;
          if (change.type === 'upsert') watcher.learn(run.runId, key, version);
          else watcher.unlearn(run.runId, key);
          yield change;
          await wait(FRAME_MS);
        }
      }
    } catch (error) {
      // A client that has left gets no error either.
      if (!signal.aborted) throw error;
    } finally {
      if (isAdded) notifier.remove(watcher);
      release();
    }
  }

  /** The page is read once for many clients; sending it to each of them costs more, and gives way to runs as well. */
  private async snapshot<Item>(
    list: WatchedList<Item>,
    reads: CoalescedReads,
    signal: AbortSignal,
  ): Promise<ListChange<Item>> {
    const { watcher, key } = list;
    const asked = { read: () => this.shownPage(list), onBegin: () => watcher.beginAnew() };
    const shown = await reads.read(key, asked, signal);
    const notify = async (): Promise<ListChange<Item>> => {
      await watcher.hasBegun(shown.keys);
      return shown.change;
    };
    return reads === this.anew ? this.inBackground(notify, signal) : untilLeft(notify(), signal);
  }

  /** Rejects as soon as the client has left; work that has not begun by then is skipped. */
  private inBackground<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const wanted = async (): Promise<Result> => {
      signal.throwIfAborted();
      return work();
    };
    return untilLeft(this.options.background.run(wanted), signal);
  }

  /** The page is frozen, since many clients share the object. */
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

import { deepFreeze } from '../../core/freeze.js';
import { sleep, type Clock } from '../../ports/clock.js';
import type { CommitLog } from '../../ports/store/commit-log.js';
import type { ListChange } from '../../run-lists.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import type { NotifiedEntry } from '../streams/notified-entry.js';
import { Waiters } from '../waiters.js';
import { CoalescedRead, type CoalescedReadOptions, type Schedule } from './coalesced-read.js';
import type { ChangedRun, ItemsOfRun, WatchedList } from './watched-list.js';

/** At most four frames a second. */
export const FRAME_MS = 250;
/** With more changed runs than this the list is shown again, which takes one frame; so is a client with as many frames. */
const MAX_PENDING = 8;
/** Beyond so many runs that clients may know the list is shown again: what is kept of it is bounded. */
const MAX_KNOWN = 2_000;
/** The version of an item that is on a page of some client: of which one is unknown. */
const ON_A_PAGE = -1;

/** What a client is shown next, and how far it has come with that. */
export interface ListFrame<Item> {
  readonly change: ListChange<Item>;
  /** Grows with each frame of the list. */
  readonly version: number;
  /**
   * A position in the log of all runs. A page shows everything up to it, and maybe more; another frame shows nothing beyond it.
   */
  readonly position: number;
}

/** A frame that is kept for clients until another one says what has become of the same item. */
interface KeptFrame<Item> extends ListFrame<Item> {
  readonly runId: string;
  readonly key: string;
}

interface ChangedItem<Item> {
  readonly key: string;
  readonly change: ListChange<Item>;
}

/** A run that has changed since the last frame of it. */
interface PendingRun<Item> {
  readonly runId: string;
  /** That of the log after its items were read. */
  readonly position: number;
  /** The items that are new, or have changed. */
  readonly keys: ReadonlySet<string>;
  /** What the list has of the run. */
  readonly items: ItemsOfRun<Item>;
}

export interface ListQueryOptions {
  readonly store: Pick<CommitLog, 'lastPosition'>;
  readonly clock: Clock;
  readonly background: Pick<BackgroundWork, 'run'>;
  /** Schedules the reads for clients that have seen nothing yet. */
  readonly first: Schedule;
  readonly takeBreak: CoalescedReadOptions['takeBreak'];
  /** Called when no page is to be read any more. */
  readonly onIdle: () => void;
}

/**
 * One list for all who watch it. Its page is read once for many of them, and what changes in it once for all, in ticks: each
 * gives one frame. Clients are cursors into the last frames.
 *
 * 1. A frame is of a run that is in the list, or that some client may know and that is not in it any more.
 * 2. A client that has lost frames is shown the page; all have when too much changes at once, or when a read failed.
 * 3. A page counts from the beginning of its read: what happens meanwhile comes in a frame after it.
 */
export class ListQuery<Item> {
  readonly first: CoalescedRead<ListFrame<Item>>;
  readonly anew: CoalescedRead<ListFrame<Item>>;
  private readonly waiters = new Waiters();
  private frames: readonly KeptFrame<Item>[] = [];
  private version = 1;
  /** Frames up to this version are no longer kept. */
  private lostUpTo = 1;
  /** The newest version that a client has come to. */
  private seenUpTo = 0;
  /** The items that clients know or are about to, by run id and key, with the version that was sent to all of them. */
  private readonly known = new Map<string, Map<string, number>>();
  /** By run id: one that changes again keeps its turn. */
  private readonly pending = new Map<string, PendingRun<Item>>();
  private isTicking = false;
  /** The pages whose read has begun. */
  private readonly pagesUnderWay = new Set<Promise<unknown>>();

  constructor(
    readonly list: WatchedList<Item>,
    private readonly options: ListQueryOptions,
  ) {
    const { background, first, takeBreak } = options;
    const onIdle = (): void => {
      if (this.isIdle) options.onIdle();
    };
    const read = (): Promise<ListFrame<Item>> => this.snapshot();
    const anew: Schedule = (work) => background.run(work);
    this.first = new CoalescedRead(read, { schedule: first, takeBreak, onIdle });
    this.anew = new CoalescedRead(read, { schedule: anew, takeBreak, onIdle });
  }

  get isIdle(): boolean {
    return this.first.isIdle && this.anew.isIdle;
  }

  /** Resolves when there is a frame after the version, or when the signal fires. */
  wait(version: number, signal: AbortSignal): Promise<void> {
    return this.version > version ? Promise.resolve() : this.waiters.wait(signal);
  }

  /** The frame after the one that the client has; `lost`: that is no longer kept. Null: there is none. */
  after({ version }: Pick<ListFrame<Item>, 'version'>): ListFrame<Item> | 'lost' | null {
    if (version < this.lostUpTo) return 'lost';
    const next = this.frames.find((frame) => frame.version > version);
    this.seenUpTo = Math.max(this.seenUpTo, next?.version ?? version);
    return next ?? null;
  }

  /** Resolves when the pages whose read has begun are there: what changed since may have to do with what is on them. */
  pagesBegun(): Promise<unknown> {
    return Promise.allSettled(this.pagesUnderWay);
  }

  /** Takes note of an entry, after `pagesBegun`. Null: it does not concern the list, and nothing has to be read for that. */
  see(entry: NotifiedEntry, run: ChangedRun): Promise<void> | null {
    if (entry.namespace !== this.list.namespace || !this.isFollowed) return null;
    const keys = new Set(entry.definitionHash === null ? [] : this.list.keysIn(entry));
    return keys.size > 0 || this.known.has(entry.runId) ? this.judge(entry, keys, run) : null;
  }

  /** All clients have to be shown the page again. */
  loseAll(): void {
    this.version += 1;
    this.lostUpTo = this.version;
    this.frames = [];
    this.known.clear();
    this.pending.clear();
    this.waiters.wakeAll();
  }

  /** False: all clients wait for a page whose read has not begun, and which will show what happens now. */
  private get isFollowed(): boolean {
    return this.seenUpTo >= this.lostUpTo;
  }

  /** A run that is neither in the list nor known to a client is none of its changes. */
  private async judge({ runId }: NotifiedEntry, keys: ReadonlySet<string>, run: ChangedRun): Promise<void> {
    const items = await this.list.itemsOf(run);
    const isIn = items.items.length > 0 || !items.areAll;
    if (!isIn && !this.known.has(runId)) return;
    // The items may show more than the entry: a page that was read before that must not make up for the frame.
    const position = await this.options.store.lastPosition();
    this.offer({ runId, position, keys, items });
  }

  private offer(changed: PendingRun<Item>): void {
    // Clients are about to know the run: what follows concerns them, also where it leaves the list before its frame.
    if (!this.known.has(changed.runId)) this.known.set(changed.runId, new Map());
    const before = this.pending.get(changed.runId)?.keys ?? [];
    this.pending.set(changed.runId, { ...changed, keys: new Set([...before, ...changed.keys]) });
    if (this.pending.size > MAX_PENDING) this.loseAll();
    else if (!this.isTicking) void this.tick();
  }

  private async tick(): Promise<void> {
    this.isTicking = true;
    try {
      for (const [runId, changed] of this.pending) {
        this.pending.delete(runId);
        for (const item of await this.options.background.run(() => this.changesOf(changed))) {
          this.add(item, changed);
          await sleep(this.options.clock, FRAME_MS);
        }
      }
    } catch {
      // Clients that wait for the page instead learn what is wrong with the store, if it still is.
      this.loseAll();
    } finally {
      this.isTicking = false;
    }
  }

  private async changesOf({ runId, keys, items }: PendingRun<Item>): Promise<readonly ChangedItem<Item>[]> {
    if (!this.isFollowed) return [];
    const { items: present, areAll } = items;
    const known = this.known.get(runId) ?? new Map<string, number>();
    this.known.set(runId, known);
    const changes: ChangedItem<Item>[] = [];
    for (const key of areAll ? known.keys() : []) {
      if (present.some((item) => item.key === key)) continue;
      known.delete(key);
      changes.push({ key, change: this.list.removalOf(runId, key) });
    }
    for (const { key, version, make } of present) {
      const sent = known.get(key);
      if (sent === version || (sent === ON_A_PAGE && !keys.has(key))) continue;
      const item = await make();
      if (item === null) continue;
      known.set(key, version);
      changes.push({ key, change: { type: 'upsert', item } });
    }
    // What is known now may be of a page that was read meanwhile.
    const isSame = this.known.get(runId) === known;
    if (isSame && known.size === 0 && !this.pending.has(runId)) this.known.delete(runId);
    return changes;
  }

  /** A client that has not come to what was said of the same item before is told its present state alone. */
  private add({ key, change }: ChangedItem<Item>, { runId, position }: PendingRun<Item>): void {
    this.version += 1;
    const others = this.frames.filter((frame) => frame.runId !== runId || frame.key !== key);
    const frames = [...others, { change: deepFreeze(change), version: this.version, position, runId, key }];
    this.lostUpTo = Math.max(this.lostUpTo, frames.at(-MAX_PENDING - 1)?.version ?? 0);
    this.frames = frames.slice(-MAX_PENDING);
    if (this.known.size > MAX_KNOWN) this.loseAll();
    else this.waiters.wakeAll();
  }

  private snapshot(): Promise<ListFrame<Item>> {
    const page = this.page(this.version);
    this.seenUpTo = Math.max(this.seenUpTo, this.version);
    this.pagesUnderWay.add(page);
    void Promise.allSettled([page]).then(() => this.pagesUnderWay.delete(page));
    return page;
  }

  /** The first page; its change is frozen, since many clients share the object. */
  private async page(version: number): Promise<ListFrame<Item>> {
    const { list, known } = this;
    const position = await this.options.store.lastPosition();
    const { items, next } = await list.page();
    for (const item of items) {
      const ofRun = known.get(list.runIdOf(item)) ?? new Map<string, number>();
      known.set(list.runIdOf(item), ofRun);
      // What is on a page may have been sent to all, too.
      if (!ofRun.has(list.keyOf(item))) ofRun.set(list.keyOf(item), ON_A_PAGE);
    }
    return { change: deepFreeze({ type: 'snapshot' as const, items, next }), version, position };
  }
}

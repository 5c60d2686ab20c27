import { deepFreeze } from '../../core/freeze.js';
import { sleep, type Clock } from '../../ports/clock.js';
import type { CommitLog } from '../../ports/store/commit-log.js';
import type { ListChange } from '../../run-lists.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import type { NotifiedEntry } from '../streams/notified-entry.js';
import { Waiters } from '../waiters.js';
import { CoalescedRead, type CoalescedReadOptions, type Schedule } from './coalesced-read.js';
import type { ChangedRun, WatchedList } from './watched-list.js';

/** At most four frames a second. */
export const FRAME_MS = 250;
/** With more changed runs than this the list is shown again, which takes one frame; so is a client with as many frames. */
const MAX_PENDING = 8;
/** Beyond so many runs that clients may know the list is shown again: what is kept of it is bounded. */
const MAX_KNOWN = 2_000;
/** The version of an item that is on a page of some client: of which one is unknown. */
const ON_A_PAGE = -1;
/** The version of an item that was taken back, though a page of some client shows it. */
const TAKEN_BACK = -2;

/** What clients may know of an item. */
interface KnownItem {
  /** The version that was sent to all of them. */
  readonly sent: number;
  /** The position of the frame that it was sent with; 0: of none. */
  readonly sentTo: number;
  /** The position of the newest page that shows it; 0: of none. */
  readonly shownTo: number;
}

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

interface ChangesOfRun<Item> {
  readonly changes: readonly ChangedItem<Item>[];
  /** That of the log after the items were read, which may show more than the entry. */
  readonly position: number;
}

/** A run that has changed since the last frame of it. Its items are read when the frame is made. */
interface PendingRun {
  readonly run: ChangedRun;
  /** That of the entry which was seen last. */
  readonly position: number;
  /** The items that are new, or have changed. */
  readonly keys: ReadonlySet<string>;
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
 * 3. A page counts from the beginning of its read: what happens meanwhile is noted, and judged once it is there.
 * 4. A frame counts from where the log was after its items were read: who was shown a later page passes over it. Where several
 *    processes append, it may show more than was in the log by then: an entry that comes later is sent with a frame of its own.
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
  /** The items that clients know or are about to, by run id and key. */
  private readonly known = new Map<string, Map<string, KnownItem>>();
  /** By run id: one that changes again keeps its turn. */
  private readonly pending = new Map<string, PendingRun>();
  private isTicking = false;
  private pagesUnderWay = 0;
  /** By run id: what changed while a page was read, which may be on it or not. */
  private readonly noted = new Map<string, PendingRun>();

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

  /** Takes note of an entry. Null: nothing has to be read for that. */
  see(entry: NotifiedEntry, run: ChangedRun): Promise<void> | null {
    if (entry.namespace !== this.list.namespace || !this.isFollowed) return null;
    const keys = new Set(entry.definitionHash === null ? [] : this.list.keysIn(entry));
    const changed = { run, position: entry.position, keys };
    if (this.pagesUnderWay > 0) this.note(changed);
    else if (this.known.has(run.runId)) this.offer(changed);
    else if (keys.size > 0) return this.judge(changed);
    return null;
  }

  /** All clients have to be shown the page again. */
  loseAll(): void {
    this.version += 1;
    this.lostUpTo = this.version;
    this.frames = [];
    this.known.clear();
    this.pending.clear();
    this.noted.clear();
    this.waiters.wakeAll();
  }

  /** False: all clients wait for a page whose read has not begun, and which will show what happens now. */
  private get isFollowed(): boolean {
    return this.seenUpTo >= this.lostUpTo;
  }

  /** A run that no client knows is a change only of a list that has it. */
  private async judge(changed: PendingRun): Promise<void> {
    if (await this.list.mayHave(changed.run)) this.offer(changed);
  }

  private note(changed: PendingRun): void {
    const { runId } = changed.run;
    this.noted.set(runId, withEarlier(changed, this.noted.get(runId)));
    if (this.noted.size > MAX_KNOWN) this.loseAll();
  }

  /** A page is there: of what changed while it was read, it is known now whether it is on it. */
  private async judgeNoted(): Promise<void> {
    const noted = [...this.noted.values()];
    this.noted.clear();
    try {
      for (const changed of noted) {
        if (!this.isFollowed) return;
        if (this.known.has(changed.run.runId)) this.offer(changed);
        else if (changed.keys.size > 0) await this.options.background.run(() => this.judge(changed));
      }
    } catch {
      this.loseAll();
    }
  }

  private offer(changed: PendingRun): void {
    const { runId } = changed.run;
    // Clients are about to know the run: what follows concerns them, also where it leaves the list before its frame.
    if (!this.known.has(runId)) this.known.set(runId, new Map());
    this.pending.set(runId, withEarlier(changed, this.pending.get(runId)));
    if (this.pending.size > MAX_PENDING) this.loseAll();
    else if (!this.isTicking) void this.tick();
  }

  private async tick(): Promise<void> {
    this.isTicking = true;
    try {
      for (const [runId, changed] of this.pending) {
        this.pending.delete(runId);
        const { changes, position } = await this.options.background.run(() => this.changesOf(changed));
        for (const item of changes) {
          this.add(item, runId, position);
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

  private async changesOf({ run, position: seen, keys }: PendingRun): Promise<ChangesOfRun<Item>> {
    const { runId } = run;
    const { items: present, areAll } = await this.list.itemsOf(run);
    const position = Math.max(seen, await this.options.store.lastPosition());
    const changes: ChangedItem<Item>[] = [];
    if (!this.isFollowed) return { changes, position };
    const known = this.known.get(runId) ?? new Map<string, KnownItem>();
    this.known.set(runId, known);
    for (const [key, { sent, shownTo }] of areAll ? known : []) {
      if (present.some((item) => item.key === key)) continue;
      // Clients that were shown a later page pass over the frame, and know the item still.
      if (shownTo >= position) known.set(key, { sent: TAKEN_BACK, sentTo: 0, shownTo });
      else known.delete(key);
      if (sent !== TAKEN_BACK || shownTo < position)
        changes.push({ key, change: this.list.removalOf(runId, key) });
    }
    for (const { key, version, make } of present) {
      const { sent, sentTo = 0 } = known.get(key) ?? {};
      const isSent = sent === version && (seen <= sentTo || !keys.has(key));
      if (isSent || (sent === ON_A_PAGE && !keys.has(key))) continue;
      const item = await make();
      if (item === null) continue;
      known.set(key, { sent: version, sentTo: position, shownTo: known.get(key)?.shownTo ?? 0 });
      changes.push({ key, change: { type: 'upsert', item } });
    }
    // What is known now may be of a page that was read meanwhile.
    const isSame = this.known.get(runId) === known;
    if (isSame && known.size === 0 && !this.pending.has(runId)) this.known.delete(runId);
    return { changes, position };
  }

  /** A client that has not come to what was said of the same item before is told its present state alone. */
  private add({ key, change }: ChangedItem<Item>, runId: string, position: number): void {
    this.version += 1;
    const others = this.frames.filter((frame) => frame.runId !== runId || frame.key !== key);
    const frames = [...others, { change: deepFreeze(change), version: this.version, position, runId, key }];
    this.lostUpTo = Math.max(this.lostUpTo, frames.at(-MAX_PENDING - 1)?.version ?? 0);
    this.frames = frames.slice(-MAX_PENDING);
    if (this.countKnown() > MAX_KNOWN) this.loseAll();
    else this.waiters.wakeAll();
  }

  private countKnown(): number {
    let count = 0;
    for (const items of this.known.values()) count += Math.max(1, items.size);
    return count;
  }

  private async snapshot(): Promise<ListFrame<Item>> {
    this.seenUpTo = Math.max(this.seenUpTo, this.version);
    this.pagesUnderWay += 1;
    try {
      return await this.page(this.version);
    } finally {
      this.pagesUnderWay -= 1;
      if (this.pagesUnderWay === 0) void this.judgeNoted();
    }
  }

  /** The first page; its change is frozen, since many clients share the object. */
  private async page(version: number): Promise<ListFrame<Item>> {
    const { list, known } = this;
    const position = await this.options.store.lastPosition();
    const { items, next } = await list.page();
    for (const item of items) {
      const ofRun = known.get(list.runIdOf(item)) ?? new Map<string, KnownItem>();
      known.set(list.runIdOf(item), ofRun);
      const key = list.keyOf(item);
      // What is on a page may have been sent to all, too.
      const { sent = ON_A_PAGE, sentTo = 0, shownTo = 0 } = ofRun.get(key) ?? {};
      ofRun.set(key, { sent, sentTo, shownTo: Math.max(shownTo, position) });
    }
    return { change: deepFreeze({ type: 'snapshot' as const, items, next }), version, position };
  }
}

/** The items of both; the run is as the later one has it. */
function withEarlier(changed: PendingRun, earlier: PendingRun | undefined): PendingRun {
  if (earlier === undefined) return changed;
  return { ...changed, keys: new Set([...earlier.keys, ...changed.keys]) };
}

import { UnreadableEventError } from '../../../errors/service-errors.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Steps } from '../../core/steps.js';
import type { Clock } from '../../ports/clock.js';
import type { LogEntry, RunStore } from '../../ports/run-store.js';
import { inSlices } from '../../scheduling/slice.js';
import { longWork } from '../../scheduling/yielder.js';
import type { PublicEvent } from '../../public-events.js';
import type { Load } from '../../scheduling/load.js';
import { LogFollower } from '../followers/log-follower.js';
import type { EngineLogger } from '../logger.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import { idOfCursor } from './event-cursor.js';
import { shownOf } from '../events/shown-event.js';

/** Bounds of the newest entries that are kept for readers who are nearly up to date. */
const RING_ENTRIES = 2_000;
const RING_BYTES = 4 * 1024 * 1024;
const BATCH_ENTRIES = 150;
/** How many entries a reader that has fallen behind gets at once. */
const BEHIND_ENTRIES = 50;
/** So many readers are woken at once before other work may run. */
const NOTIFIED_AT_ONCE = 16;
/** How long to wait until the readers that were woken have taken what there is: the time counts as work. */
const TAKEN_WITHIN_MS = 500;

/** An event of any run, with the id of its cursor in the log of all runs. */
export interface EventWithCursor {
  readonly id: string;
  readonly event: PublicEvent;
}

/** One append, with the events of it that are shown, or a run that was purged. */
export interface NotifiedEntry {
  readonly position: number;
  readonly runId: string;
  readonly namespace: string;
  readonly workflowId: string;
  /** Null: the run was purged. */
  readonly definitionHash: string | null;
  readonly isPurged: boolean;
  readonly events: readonly EventWithCursor[];
  /** The approximate size of the events' JSON. */
  readonly bytes: number;
}

export interface TailPage {
  readonly entries: readonly NotifiedEntry[];
  /** Everything up to this position was looked at. */
  readonly until: number;
}

export interface LogTailOptions {
  readonly store: Pick<RunStore, 'readAll' | 'lastPosition'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly load: Load;
  /** The background work of all streams. */
  readonly background: BackgroundWork;
  /** See `LogFollowerOptions`. */
  readonly pollMs: number | null;
}

/**
 * The end of the store's log, read once for all readers, and only while there are any. It gives way to load as every
 * follower does: under load, readers are notified later.
 */
export class LogTail {
  private readonly follower: LogFollower;
  private ring: NotifiedEntry[] = [];
  private ringBytes = 0;
  /** The ring holds everything after this position, up to `position`. */
  private ringStart = 0;
  private position = 0;
  private readers = 0;
  private following: AbortController | null = null;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly options: LogTailOptions) {
    const { store, clock, logger, load, pollMs } = options;
    this.follower = new LogFollower({
      name: 'streams',
      store: {
        readAll: (request) => store.readAll(request),
        lastPosition: () => store.lastPosition(),
        // The cursor begins where the first reader joins, and is forgotten with the last one.
        readCursor: () => Promise.resolve(this.position),
        writeCursor: () => Promise.resolve(),
      },
      clock,
      logger,
      load,
      pollMs,
      batchEntries: BATCH_ENTRIES,
      handle: (entries) => this.take(entries),
    });
  }

  /** Something was appended. Costs next to nothing while there are no readers. */
  wake(): void {
    if (this.following !== null) this.follower.wake();
  }

  /** Adds a reader, and resolves with the position from which it reads. Each `join` is followed by one `leave`. */
  async join(): Promise<number> {
    this.readers += 1;
    try {
      const last = await this.options.store.lastPosition();
      // The last of the other readers may have left in the meantime.
      if (this.following === null && this.readers > 0) this.begin(last);
      return last;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  leave(): void {
    this.readers -= 1;
    if (this.readers > 0) return;
    this.following?.abort();
    this.following = null;
    this.ring = [];
    this.ringBytes = 0;
  }

  /** At most a page of what comes after a position; an empty one: there is nothing yet. */
  after(position: number): TailPage | Promise<TailPage> {
    if (this.following !== null && position >= this.ringStart)
      return pageOf(this.fromRing(position), position);
    const { background, store } = this.options;
    return background.run(async () => {
      // What was purged in the meantime is no longer in the store, and is skipped.
      const known = Math.max(position, this.position);
      const entries = await store.readAll({ afterPosition: position, limit: BEHIND_ENTRIES });
      return pageOf(await inSlices(notifiedEntries(entries)), known);
    });
  }

  /** The position up to which the log was read. */
  get end(): number {
    return this.position;
  }

  /** Whether the ring no longer holds everything after the position. */
  hasLost(position: number): boolean {
    return position < this.ringStart;
  }

  /** No reader is notified any more. */
  close(): void {
    this.following?.abort();
  }

  /** Resolves when there is something after the position, or when the signal fires. */
  notification(position: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.position > position) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  private begin(position: number): void {
    const following = new AbortController();
    this.following = following;
    this.position = position;
    this.ringStart = position;
    void this.follower.follow(following.signal);
  }

  private async take(entries: readonly LogEntry[]): Promise<void> {
    const { following } = this;
    const taken = await inSlices(notifiedEntries(entries));
    if (following === null || this.following !== following) return;
    for (const entry of taken) {
      this.ring.push(entry);
      this.ringBytes += entry.bytes;
      this.position = entry.position;
    }
    this.trim();
    await this.notify();
  }

  /**
   * Wakes the readers that wait, some at a time, and waits until they come back for more: notifying a thousand of them is
   * most of the work, and must count as such. It does not wait for readers that do not take what there is.
   */
  private async notify(): Promise<void> {
    const waiting = [...this.waiting];
    for (let woken = 0; woken < waiting.length; woken += NOTIFIED_AT_ONCE) {
      for (const wake of waiting.slice(woken, woken + NOTIFIED_AT_ONCE)) wake();
      await longWork.next();
    }
    const end = performance.now() + TAKEN_WITHIN_MS;
    for (let back = -1; back < this.waiting.size && performance.now() < end;) {
      back = this.waiting.size;
      await longWork.next();
      await longWork.next();
    }
  }

  private trim(): void {
    let dropped = 0;
    while (
      dropped < this.ring.length &&
      (this.ring.length - dropped > RING_ENTRIES || this.ringBytes > RING_BYTES)
    ) {
      const entry = this.ring[dropped] as NotifiedEntry;
      this.ringBytes -= entry.bytes;
      this.ringStart = entry.position;
      dropped += 1;
    }
    if (dropped > 0) this.ring = this.ring.slice(dropped);
  }

  private fromRing(position: number): readonly NotifiedEntry[] {
    let [low, high] = [0, this.ring.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ring[middle] as NotifiedEntry).position <= position) low = middle + 1;
      else high = middle;
    }
    return this.ring.slice(low, low + BEHIND_ENTRIES);
  }
}

function pageOf(entries: readonly NotifiedEntry[], position: number): TailPage {
  return { entries, until: entries.at(-1)?.position ?? position };
}

function* notifiedEntries(entries: readonly LogEntry[]): Steps<readonly NotifiedEntry[]> {
  const all: NotifiedEntry[] = [];
  for (const entry of entries) {
    const { position, runId, namespace, workflowId, kind } = entry;
    const definitionHash = kind === 'purged' ? null : entry.definitionHash;
    const events: EventWithCursor[] = [];
    let bytes = 100;
    for (const event of kind === 'purged' ? [] : readable(entry)) {
      const shown = yield* shownOf(entry, event, 'public');
      if (shown === null) continue;
      events.push({ id: idOfCursor({ position, seq: event.seq }), event: shown.event });
      bytes += shown.bytes;
    }
    const isPurged = kind === 'purged';
    all.push({ position, runId, namespace, workflowId, definitionHash, isPurged, events, bytes });
    yield;
  }
  return all;
}

/**
 * The events of an append; none of one that a newer version wrote, as waiting for that version would hold up all other runs.
 */
function readable({ events, runId }: LogEntry & { readonly kind: 'appended' }): readonly RunEvent[] {
  try {
    return decodeEvents(events, runId);
  } catch (error) {
    if (error instanceof UnreadableEventError) return [];
    throw error;
  }
}

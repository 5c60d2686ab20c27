import { UnreadableEventError } from '../../../errors/service-errors.js';
import { decodeEvents } from '../../core/log/event-codec.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Steps } from '../../core/steps.js';
import type { Clock } from '../../ports/clock.js';
import type { LogEntry, RunStore } from '../../ports/run-store.js';
import { inTurns, nextTurn } from '../../ports/turns.js';
import type { PublicEvent } from '../../public-events.js';
import type { Load } from '../followers/load.js';
import { LogFollower } from '../followers/log-follower.js';
import type { EngineLogger } from '../logger.js';
import type { AtLeisure } from './at-leisure.js';
import { idOfPlace } from './event-place.js';
import { shownOf } from './shown-event.js';

/** What is kept of what was read last, for those who are nearly up to date. */
const RING_ENTRIES = 2_000;
const RING_BYTES = 4 * 1024 * 1024;
const BATCH_ENTRIES = 150;
/** What somebody reads at once who has fallen behind. */
const BEHIND_ENTRIES = 50;
/** So many are told at once, and then others have their turn. */
const TOLD_AT_ONCE = 16;
/** How long to wait for those who were told something until they have taken it: the time counts as work. */
const TAKEN_WITHIN_MS = 500;

/** An event of any run, and what names its place among those of all. */
export interface PlacedEvent {
  readonly id: string;
  readonly event: PublicEvent;
}

/** One append, as far as it is told, or a run that was purged. */
export interface ToldEntry {
  readonly position: number;
  readonly runId: string;
  readonly namespace: string;
  readonly workflowId: string;
  /** Null: it was purged. */
  readonly definitionHash: string | null;
  readonly isPurged: boolean;
  readonly events: readonly PlacedEvent[];
  /** Of the events' JSON, about. */
  readonly bytes: number;
}

export interface TailPage {
  readonly entries: readonly ToldEntry[];
  /** Everything up to this position was looked at. */
  readonly until: number;
}

export interface LogTailOptions {
  readonly store: Pick<RunStore, 'readAll' | 'lastPosition'>;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly load: Load;
  /** Shared by all who look on. */
  readonly leisure: AtLeisure;
  /** See `LogFollowerOptions`. */
  readonly pollMs: number | null;
}

/**
 * The end of the store's log, read once for all who look on, and only while somebody does. It gives way to load as every
 * follower does: under load they hear of things later.
 */
export class LogTail {
  private readonly follower: LogFollower;
  private ring: ToldEntry[] = [];
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
        // It begins where somebody begins to look on, and is forgotten with the last of them.
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

  /** Something was appended. Costs next to nothing while nobody looks on. */
  poke(): void {
    if (this.following !== null) this.follower.poke();
  }

  /** Somebody looks on from now; answers where that is. Each `join` is followed by one `leave`. */
  async join(): Promise<number> {
    this.readers += 1;
    try {
      const last = await this.options.store.lastPosition();
      // The last of the others may have left meanwhile.
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

  /** What comes after a position, a page at most; none: there is nothing yet. */
  after(position: number): TailPage | Promise<TailPage> {
    if (this.following !== null && position >= this.ringStart)
      return pageOf(this.fromRing(position), position);
    const { leisure, store } = this.options;
    return leisure.run(async () => {
      // What was purged meanwhile is in the store no more, and passed over.
      const known = Math.max(position, this.position);
      const entries = await store.readAll({ afterPosition: position, limit: BEHIND_ENTRIES });
      return pageOf(await inTurns(told(entries)), known);
    });
  }

  /** Up to where it has read. */
  get end(): number {
    return this.position;
  }

  /** Whether what comes after the position is no longer at hand. */
  hasLost(position: number): boolean {
    return position < this.ringStart;
  }

  /** Nobody is told anything any more. */
  close(): void {
    this.following?.abort();
  }

  /** Resolves when there is something after the position, or when the signal fires. */
  news(position: number, signal: AbortSignal): Promise<void> {
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
    const taken = await inTurns(told(entries));
    if (following === null || this.following !== following) return;
    for (const entry of taken) {
      this.ring.push(entry);
      this.ringBytes += entry.bytes;
      this.position = entry.position;
    }
    this.trim();
    await this.tell();
  }

  /**
   * Wakes those who wait, some at a time, and waits for them to come back for more: what it takes to tell a thousand of them
   * is most of the work, and must count as such. Who does not take what he is told is not waited for.
   */
  private async tell(): Promise<void> {
    const waiting = [...this.waiting];
    for (let woken = 0; woken < waiting.length; woken += TOLD_AT_ONCE) {
      for (const wake of waiting.slice(woken, woken + TOLD_AT_ONCE)) wake();
      await nextTurn();
    }
    const end = performance.now() + TAKEN_WITHIN_MS;
    for (let back = -1; back < this.waiting.size && performance.now() < end;) {
      back = this.waiting.size;
      await nextTurn();
      await nextTurn();
    }
  }

  private trim(): void {
    let dropped = 0;
    while (
      dropped < this.ring.length &&
      (this.ring.length - dropped > RING_ENTRIES || this.ringBytes > RING_BYTES)
    ) {
      const entry = this.ring[dropped] as ToldEntry;
      this.ringBytes -= entry.bytes;
      this.ringStart = entry.position;
      dropped += 1;
    }
    if (dropped > 0) this.ring = this.ring.slice(dropped);
  }

  private fromRing(position: number): readonly ToldEntry[] {
    let [low, high] = [0, this.ring.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ring[middle] as ToldEntry).position <= position) low = middle + 1;
      else high = middle;
    }
    return this.ring.slice(low, low + BEHIND_ENTRIES);
  }
}

function pageOf(entries: readonly ToldEntry[], position: number): TailPage {
  return { entries, until: entries.at(-1)?.position ?? position };
}

function* told(entries: readonly LogEntry[]): Steps<readonly ToldEntry[]> {
  const all: ToldEntry[] = [];
  for (const entry of entries) {
    const { position, runId, namespace, workflowId, kind } = entry;
    const definitionHash = kind === 'purged' ? null : entry.definitionHash;
    const events: PlacedEvent[] = [];
    let bytes = 100;
    for (const event of kind === 'purged' ? [] : readable(entry)) {
      const shown = yield* shownOf(entry, event, 'public');
      if (shown === null) continue;
      events.push({ id: idOfPlace({ position, seq: event.seq }), event: shown.event });
      bytes += shown.bytes;
    }
    const isPurged = kind === 'purged';
    all.push({ position, runId, namespace, workflowId, definitionHash, isPurged, events, bytes });
    yield;
  }
  return all;
}

/** None of an append that a newer version wrote: to wait for one that can read it would keep up all other runs. */
function readable({ events, runId }: LogEntry & { readonly kind: 'appended' }): readonly RunEvent[] {
  try {
    return decodeEvents(events, runId);
  } catch (error) {
    if (error instanceof UnreadableEventError) return [];
    throw error;
  }
}

import type { NotifiedEntry } from '../streams/notified-entry.js';
import type { PageKeys } from './page-keys.js';

/** Beyond so many pending runs the list is shown again, which takes one frame. */
const MAX_PENDING = 8;
/** Beyond so many items that a client knows, too: what is kept for a stream is bounded. */
const MAX_KNOWN = 2_000;

/** A run that has changed, and the tick (`ReadCache`) from which on a read shows the change. */
export interface PendingRun {
  readonly runId: string;
  readonly tick: number;
}

/** No more changes than this are kept while a page is read. */
const MAX_MEANWHILE = 200;

const NOTHING: PageKeys = new Map();

interface Meanwhile {
  readonly entry: NotifiedEntry;
  readonly tick: number;
}

/** The state of one watched list: which items the client knows, and which runs have changed since. */
export class ListWatcher {
  /** The page that the client was shown last. */
  private page = NOTHING;
  /**
   * What the client was notified of since, in place of what the page has of the same run: the version of each item by its
   * key, as a run may have several gates. A run of the page whose items are all gone is there without keys.
   */
  private notified = new Map<string, Map<string, number | null>>();
  private knownCount = 0;
  private pending = new Map<string, number>();
  /** The changes while a page is read, by run id. Whether they matter to the page shows once that is there. */
  private meanwhile: Map<string, Meanwhile> | null = null;
  /** The run that was taken last, whose changes are being sent. */
  private notifying: string | null = null;
  private due = false;
  private wake: (() => void) | null = null;

  constructor(
    private readonly namespace: string,
    /** Whether the entry may matter to the list; cheap, since every watcher sees every entry. */
    private readonly mayConcern: (entry: NotifiedEntry) => boolean,
    /** Whether the run belongs to the list now, where that requires a read of it; null: no such check is necessary. */
    private readonly isListed: ((entry: NotifiedEntry, tick: number) => Promise<boolean>) | null,
  ) {}

  /** Whether the whole list has to be shown again. */
  get isDue(): boolean {
    return this.due || this.knownCount > MAX_KNOWN;
  }

  get hasNotifications(): boolean {
    return this.isDue || this.pending.size > 0;
  }

  knownOf(runId: string): ReadonlySet<string> {
    return new Set(this.notified.get(runId)?.keys() ?? this.page.get(runId));
  }

  /** The version that `learn` was given; null: unknown. */
  versionOf(runId: string, key: string): number | null {
    return this.notified.get(runId)?.get(key) ?? null;
  }

  /** Takes note of an entry, which a read at `tick` or later shows. Null: no check of the run is necessary. */
  see(entry: NotifiedEntry, tick: number): Promise<void> | null {
    if (this.isDue || entry.namespace !== this.namespace) return null;
    const { meanwhile } = this;
    if (meanwhile !== null) {
      const before = meanwhile.get(entry.runId);
      // A later entry of the run may concern the list less; the earlier one still does.
      const isKept = before !== undefined && entry.definitionHash !== null && this.mayConcern(before.entry);
      meanwhile.set(entry.runId, { entry: isKept ? before.entry : entry, tick });
      if (meanwhile.size > MAX_MEANWHILE) this.showAnew();
      return null;
    }
    if (this.knows(entry.runId)) this.offer(entry.runId, tick);
    else if (entry.definitionHash !== null && this.mayConcern(entry)) {
      if (this.isListed !== null) return this.lookAt(entry, tick, this.isListed);
      this.offer(entry.runId, tick);
    }
    return null;
  }

  private async lookAt(
    entry: NotifiedEntry,
    tick: number,
    isListed: NonNullable<ListWatcher['isListed']>,
  ): Promise<void> {
    if (await isListed(entry, tick)) this.offer(entry.runId, tick);
  }

  private offer(runId: string, tick: number): void {
    if (this.isDue) return;
    this.pending.set(runId, tick);
    if (this.pending.size > MAX_PENDING) this.showAnew();
    else this.wake?.();
  }

  /** The client has missed something: the whole list has to be shown again. */
  showAnew(): void {
    this.due = true;
    this.pending.clear();
    this.wake?.();
  }

  /** Called before a page is read: what happens from now on is sent after the page. */
  beginAnew(): void {
    this.due = false;
    this.pending.clear();
    this.page = NOTHING;
    this.notified = new Map();
    this.knownCount = 0;
    this.meanwhile = new Map();
  }

  /** Called once the page was read, with the keys of its items. */
  async hasBegun(page: PageKeys): Promise<void> {
    const { meanwhile } = this;
    this.page = page;
    for (const keys of page.values()) this.knownCount += keys.size;
    this.meanwhile = null;
    for (const { entry, tick } of meanwhile?.values() ?? []) await this.see(entry, tick);
  }

  /** Takes the next run that has changed; the changes of the one taken before have been sent by now. */
  take(): PendingRun | null {
    this.notifying = null;
    for (const [runId, tick] of this.pending) {
      this.pending.delete(runId);
      this.notifying = runId;
      return { runId, tick };
    }
    return null;
  }

  /** Whether the client knows the run, or is about to: then it must be notified of what follows. */
  private knows(runId: string): boolean {
    const isKnown = (this.notified.get(runId) ?? this.page.get(runId) ?? NOTHING).size > 0;
    return isKnown || this.pending.has(runId) || this.notifying === runId;
  }

  /** `version`: that of the item as it was sent; null: unknown. */
  learn(runId: string, key: string, version: number | null): void {
    const keys = this.notifiedKeysOf(runId);
    if (!keys.has(key)) this.knownCount += 1;
    keys.set(key, version);
  }

  unlearn(runId: string, key: string): void {
    const keys = this.notifiedKeysOf(runId);
    if (keys.delete(key)) this.knownCount -= 1;
    if (keys.size === 0 && !this.page.has(runId)) this.notified.delete(runId);
  }

  private notifiedKeysOf(runId: string): Map<string, number | null> {
    const known = this.notified.get(runId);
    if (known !== undefined) return known;
    const keys = new Map<string, number | null>();
    for (const key of this.page.get(runId) ?? []) keys.set(key, null);
    this.notified.set(runId, keys);
    return keys;
  }

  /** Resolves when there is something to send, or when the signal fires. */
  notification(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.hasNotifications) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        this.wake = null;
        resolve();
      };
      this.wake = wake;
      signal.addEventListener('abort', wake);
    });
  }
}

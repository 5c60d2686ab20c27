import type { ToldEntry } from './log-tail.js';
import type { PageKeys } from './page-keys.js';

/** Beyond so many the list is shown anew, which is one frame. */
const MAX_PENDING = 8;
/** Beyond so many that a client was told of, too: what is kept for a stream has a bound. */
const MAX_KNOWN = 2_000;

/** A run of which something has changed, and the moment (`FreshRuns`) since when that is to be seen. */
export interface PendingRun {
  readonly runId: string;
  readonly tick: number;
}

/** While a page is read no more is kept than this. */
const MAX_MEANWHILE = 200;

const NOTHING: PageKeys = new Map();

interface Meanwhile {
  readonly entry: ToldEntry;
  readonly tick: number;
}

/** What is kept for one who watches a list: of which runs he was told, and what he is still to be told. */
export class ListWatcher {
  /** What he was shown last. */
  private page = NOTHING;
  /**
   * What he was told since, in place of what the page says of the same run: by its key, for of a list of gates there may be
   * several, how it stood then. A run of which he knows no more that the page has is there without keys.
   */
  private told = new Map<string, Map<string, number | null>>();
  private knownCount = 0;
  private pending = new Map<string, number>();
  /** While a page is read: what happened meanwhile, by run id. What it has to do with the page shows when that is there. */
  private meanwhile: Map<string, Meanwhile> | null = null;
  /** The run that was taken last. */
  private telling: string | null = null;
  private due = false;
  private wake: (() => void) | null = null;

  constructor(
    private readonly namespace: string,
    /** Whether the entry may matter to the list; cheap, for every entry is shown to everybody. */
    private readonly mayConcern: (entry: ToldEntry) => boolean,
    /** Whether the run belongs to the list now, where that costs a look at it; null: it need not be looked at. */
    private readonly isListed: ((entry: ToldEntry, tick: number) => Promise<boolean>) | null,
  ) {}

  /** Whether everything is to be shown anew. */
  get isDue(): boolean {
    return this.due || this.knownCount > MAX_KNOWN;
  }

  get hasNews(): boolean {
    return this.isDue || this.pending.size > 0;
  }

  knownOf(runId: string): ReadonlySet<string> {
    return new Set(this.told.get(runId)?.keys() ?? this.page.get(runId));
  }

  /** As `learn` was told it; null: nobody knows. */
  versionOf(runId: string, key: string): number | null {
    return this.told.get(runId)?.get(key) ?? null;
  }

  /** Something has happened; it is seen by a read at `tick` or later. Null: nothing more has to be looked at. */
  see(entry: ToldEntry, tick: number): Promise<void> | null {
    if (this.isDue || entry.namespace !== this.namespace) return null;
    const { meanwhile } = this;
    if (meanwhile !== null) {
      const before = meanwhile.get(entry.runId);
      // What is behind it in the log may concern him less, and it still does.
      const isKept = before !== undefined && !entry.isPurged && this.mayConcern(before.entry);
      meanwhile.set(entry.runId, { entry: isKept ? before.entry : entry, tick });
      if (meanwhile.size > MAX_MEANWHILE) this.showAnew();
      return null;
    }
    if (this.knows(entry.runId)) this.offer(entry.runId, tick);
    else if (!entry.isPurged && this.mayConcern(entry)) {
      if (this.isListed !== null) return this.lookAt(entry, tick, this.isListed);
      this.offer(entry.runId, tick);
    }
    return null;
  }

  private async lookAt(
    entry: ToldEntry,
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

  /** He has missed something. */
  showAnew(): void {
    this.due = true;
    this.pending.clear();
    this.wake?.();
  }

  /** Before the page is read that he is shown: what happens from now on is told after it. */
  beginAnew(): void {
    this.due = false;
    this.pending.clear();
    this.page = NOTHING;
    this.told = new Map();
    this.knownCount = 0;
    this.meanwhile = new Map();
  }

  /** The page was read, and this is what he is shown. */
  async hasBegun(page: PageKeys): Promise<void> {
    const { meanwhile } = this;
    this.page = page;
    for (const keys of page.values()) this.knownCount += keys.size;
    this.meanwhile = null;
    for (const { entry, tick } of meanwhile?.values() ?? []) await this.see(entry, tick);
  }

  /** What was taken before has been told by now. */
  take(): PendingRun | null {
    this.telling = null;
    for (const [runId, tick] of this.pending) {
      this.pending.delete(runId);
      this.telling = runId;
      return { runId, tick };
    }
    return null;
  }

  /** Whether he was told of it, or is about to be: then he must hear how it goes on. */
  private knows(runId: string): boolean {
    const isKnown = (this.told.get(runId) ?? this.page.get(runId) ?? NOTHING).size > 0;
    return isKnown || this.pending.has(runId) || this.telling === runId;
  }

  /** `version`: of how it stands; null where nobody can say. */
  learn(runId: string, key: string, version: number | null): void {
    const keys = this.toldOf(runId);
    if (!keys.has(key)) this.knownCount += 1;
    keys.set(key, version);
  }

  unlearn(runId: string, key: string): void {
    const keys = this.toldOf(runId);
    if (keys.delete(key)) this.knownCount -= 1;
    if (keys.size === 0 && !this.page.has(runId)) this.told.delete(runId);
  }

  private toldOf(runId: string): Map<string, number | null> {
    const known = this.told.get(runId);
    if (known !== undefined) return known;
    const keys = new Map<string, number | null>();
    for (const key of this.page.get(runId) ?? []) keys.set(key, null);
    this.told.set(runId, keys);
    return keys;
  }

  /** Resolves when there is something to tell, or when the signal fires. */
  news(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.hasNews) return Promise.resolve();
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

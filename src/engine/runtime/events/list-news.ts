import { messageOf } from '../../../errors/flowgate-error.js';
import { sleep, type Clock } from '../../ports/clock.js';
import { nextTurn } from '../../ports/turns.js';
import type { EngineLogger } from '../logger.js';
import type { AtLeisure } from './at-leisure.js';
import type { FreshRuns } from './fresh-runs.js';
import type { ListWatcher } from './list-watcher.js';
import type { LogTail, ToldEntry } from './log-tail.js';

/** After a fault of the store, until it is tried again. */
const TRY_AGAIN_MS = 1_000;

export interface ListNewsOptions {
  readonly tail: LogTail;
  readonly fresh: FreshRuns;
  readonly leisure: AtLeisure;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * Tells those who watch lists of which runs something has changed: one reader for all of them, and a run is looked at once
 * for all. Whoever is told too much at once, and all where the reader has fallen behind, are shown their list anew instead.
 */
export class ListNews {
  private readonly watchers = new Set<ListWatcher>();
  private reading: AbortController | null = null;

  constructor(private readonly options: ListNewsOptions) {}

  /** Once it resolves he is told of what happens; then, and only then, `remove` follows. */
  async add(watcher: ListWatcher): Promise<void> {
    const position = await this.options.tail.join();
    this.watchers.add(watcher);
    if (this.reading !== null) return;
    const reading = new AbortController();
    this.reading = reading;
    void this.read(position, reading.signal);
  }

  remove(watcher: ListWatcher): void {
    this.watchers.delete(watcher);
    this.options.tail.leave();
    if (this.watchers.size === 0) this.close();
  }

  /** Nobody is told anything any more. */
  close(): void {
    this.reading?.abort();
    this.reading = null;
    this.options.fresh.forget();
  }

  private async read(start: number, signal: AbortSignal): Promise<void> {
    const { tail, leisure, clock, logger } = this.options;
    let position = start;
    let failures = 0;
    while (!signal.aborted) {
      try {
        if (tail.hasLost(position)) {
          position = tail.end;
          this.showAllAnew();
        }
        const page = await tail.after(position);
        if (page.entries.length === 0) await tail.news(page.until, signal);
        else await leisure.run(() => this.tell(page.entries, signal));
        position = page.until;
        failures = 0;
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

  private showAllAnew(): void {
    for (const watcher of this.watchers) watcher.showAnew();
  }

  private async tell(entries: readonly ToldEntry[], signal: AbortSignal): Promise<void> {
    const tick = this.options.fresh.tick();
    for (const entry of entries) {
      for (const watcher of this.watchers) {
        const seeing = watcher.see(entry, tick);
        if (seeing !== null) await seeing;
      }
      if (signal.aborted) return;
    }
    await nextTurn();
  }
}

import { messageOf } from '../../../errors/flowgate-error.js';
import { sleep, type Clock } from '../../ports/clock.js';
import { longWork } from '../../scheduling/yielder.js';
import type { EngineLogger } from '../logger.js';
import type { BackgroundWork } from '../../scheduling/background-work.js';
import type { ReadCache } from './read-cache.js';
import type { ListWatcher } from './list-watcher.js';
import type { LogTail } from '../streams/log-tail.js';
import type { NotifiedEntry } from '../streams/notified-entry.js';

/** How long the reader waits after a fault of the store. */
const TRY_AGAIN_MS = 1_000;

export interface ListNotifierOptions {
  readonly tail: LogTail;
  readonly readCache: ReadCache;
  readonly background: BackgroundWork;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * Notifies watched lists of the runs that have changed. One reader serves all of them, and a run that has changed is read
 * once for all. A watcher with too many changes at once, and all of them once the reader has fallen behind, are shown their
 * list again instead.
 */
export class ListNotifier {
  private readonly watchers = new Set<ListWatcher>();
  private reading: AbortController | null = null;

  constructor(private readonly options: ListNotifierOptions) {}

  /** Once it resolves, the watcher is notified of changes; then, and only then, `remove` must follow. */
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

  /** No watcher is notified any more. */
  close(): void {
    this.reading?.abort();
    this.reading = null;
    this.options.readCache.forget();
  }

  private async read(start: number, signal: AbortSignal): Promise<void> {
    const { tail, background, clock, logger } = this.options;
    let position = start;
    let failures = 0;
    while (!signal.aborted) {
      try {
        if (tail.hasLost(position)) {
          position = tail.end;
          this.showAllAnew();
        }
        const page = await tail.read(position);
        if (page.isLast) await tail.wait(page.position, signal);
        else await background.run(() => this.notify(page.items, signal));
        position = page.position;
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

  private async notify(entries: readonly NotifiedEntry[], signal: AbortSignal): Promise<void> {
    const tick = this.options.readCache.tick();
    for (const entry of entries) {
      for (const watcher of this.watchers) {
        const seeing = watcher.see(entry, tick);
        if (seeing !== null) await seeing;
      }
      if (signal.aborted) return;
    }
    await longWork.next();
  }
}

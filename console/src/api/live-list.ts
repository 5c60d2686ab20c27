import { signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ListChange, Page } from 'flowgate-client/remote';
import { EMPTY_LIST, changed, showWaiting, withOlder, type WatchedList } from './watched-list.js';
import { identityKey } from './service.js';

/** A stream that was refused, or ended, is asked for again after so long. */
const AGAIN_AFTER_MS = 5_000;

export interface LiveList<Item> {
  readonly list: ReadonlySignal<WatchedList<Item>>;
  /** Why nothing new comes at the moment; null: it does. */
  readonly trouble: ReadonlySignal<Error | null>;
  /** Shows what has waited. */
  showWaiting(): void;
  /** Shows a page of what is older. */
  showOlder(page: Page<Item>): void;
  /** Takes what was learned elsewhere: of what is older than its first page a stream says nothing. */
  take(change: ListChange<Item>): void;
  /** Opens its stream again, where that was refused or may have missed something. */
  again(): void;
}

export interface Watched<Item> {
  readonly keyOf: (item: Pick<Item, never> & object) => string;
  /** Opens the stream; given what ends it. */
  readonly open: (signal: AbortSignal) => AsyncIterable<ListChange<Item>>;
  /** Whether new items wait until somebody asks for them, because the pointer is where they would appear. */
  readonly holdsNew: () => boolean;
  /** Of a list that shows older pages, too: whether an item comes after another. */
  readonly isOlder?: (item: Item, than: Item) => boolean;
}

/**
 * A list that is watched as long as the component is there and the tab is seen: a browser has six connections to a service for all of
 * its tabs.
 */
export function useLiveList<Item extends object>(key: string, watched: Watched<Item>): LiveList<Item> {
  const who = identityKey.value;
  const live = useMemo(() => new Live(watched), [key, who]);
  useEffect(() => live.watch(), [live]);
  return live;
}

class Live<Item extends object> implements LiveList<Item> {
  readonly list = signal<WatchedList<Item>>(EMPTY_LIST);
  readonly trouble = signal<Error | null>(null);
  private aborter: AbortController | null = null;

  constructor(private readonly watched: Watched<Item>) {}

  /** Returns what ends it. */
  watch(): () => void {
    const onVisibility = (): void => (document.hidden ? this.leave() : this.follow());
    document.addEventListener('visibilitychange', onVisibility);
    onVisibility();
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      this.leave();
    };
  }

  showWaiting(): void {
    this.list.value = showWaiting(this.list.value);
  }

  showOlder(page: Page<Item>): void {
    this.list.value = withOlder(this.list.peek(), page, this.watched);
  }

  take(change: ListChange<Item>): void {
    const { keyOf, holdsNew, isOlder } = this.watched;
    this.list.value = changed(this.list.peek(), change, { keyOf, isOlder, holdsNew: holdsNew() });
  }

  again(): void {
    this.leave();
    if (!document.hidden) this.follow();
  }

  private leave(): void {
    this.aborter?.abort();
    this.aborter = null;
  }

  private follow(): void {
    if (this.aborter !== null) return;
    const aborter = new AbortController();
    this.aborter = aborter;
    void this.read(aborter.signal);
  }

  private async read(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      try {
        for await (const change of this.watched.open(ended)) {
          if (ended.aborted) return;
          this.trouble.value = null;
          this.take(change);
        }
      } catch (error) {
        if (ended.aborted) return;
        this.trouble.value = error instanceof Error ? error : new Error(String(error));
      }
      await pause(AGAIN_AFTER_MS, ended);
    }
  }
}

function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ended.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

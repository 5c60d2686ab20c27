import { signal } from '@preact/signals';
import { Drafts, type DraftOf } from './drafts.js';

/** A draft is kept so often while somebody writes; a long one, which takes a while, once they rest. */
const KEEP_AFTER_MS = { short: 500, long: 3_000 };
const LONG = 256 * 1_024;

export const drafts = new Drafts();

interface Keeping {
  readonly of: DraftOf;
  /** The version that the text began from. */
  readonly base: string | null;
  readonly text: () => string;
  /** Of the text, which costs nothing. */
  readonly length: () => number;
}

/** Keeps a text as a draft while it is written. */
export class DraftKeeper {
  /** False: the browser has no room, and the draft is gone with the page. */
  readonly isKept = signal(true);
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly keeping: Keeping) {}

  /** Until the returned function is called; leaving the page keeps what is there. */
  begin(): () => void {
    const keep = (): void => this.#keepNow();
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      this.#keepNow();
    };
  }

  changed(): void {
    const isLong = this.keeping.length() > LONG;
    if (isLong) this.#stop();
    this.#timer ??= setTimeout(() => this.#keepNow(), isLong ? KEEP_AFTER_MS.long : KEEP_AFTER_MS.short);
  }

  drop(): void {
    this.#stop();
    drafts.drop(this.keeping.of);
  }

  #keepNow(): void {
    if (this.#timer === null) return;
    this.#stop();
    const { of, base, text } = this.keeping;
    this.isKept.value = drafts.keep(of, { text: text(), base, savedAt: Date.now() });
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

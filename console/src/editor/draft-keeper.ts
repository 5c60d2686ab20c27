import { signal } from '@preact/signals';
import { Drafts, type Draft, type DraftOf } from './drafts.js';

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
  /** What another tab keeps, instead of which this text is kept only once somebody says so; null: nothing. */
  readonly foreign = signal<Draft | null>(null);
  #base: string | null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly keeping: Keeping) {
    this.#base = keeping.base;
    this.foreign.value = drafts.foreign(keeping.of);
  }

  /** Until the returned function is called; leaving the page keeps what is there. */
  begin(): () => void {
    const keep = (): void => this.#keepNow();
    // Only this page has the text, for which somebody may still decide.
    const warn = (event: Event): void => {
      if (this.foreign.peek() !== null) event.preventDefault();
    };
    window.addEventListener('pagehide', keep);
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('pagehide', keep);
      window.removeEventListener('beforeunload', warn);
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
    // Nothing is left to choose about.
    this.foreign.value = null;
  }

  /** Keeps this text in the place of the draft of another tab. */
  keepInsteadOf(foreign: Draft): void {
    drafts.see(this.keeping.of, foreign);
    this.#keep(this.#draft());
  }

  /** The text is the draft of another tab from now on. */
  take(foreign: Draft): void {
    this.#base = foreign.base;
    drafts.see(this.keeping.of, foreign);
    this.#keep(foreign);
  }

  #keepNow(): void {
    if (this.#timer !== null) this.#keep(this.#draft());
  }

  #draft(): Draft {
    return { text: this.keeping.text(), base: this.#base, savedAt: Date.now() };
  }

  #keep(draft: Draft): void {
    this.#stop();
    const { of } = this.keeping;
    const isKept = drafts.keep(of, draft);
    this.foreign.value = isKept ? null : drafts.foreign(of);
    this.isKept.value = isKept || this.foreign.value !== null;
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

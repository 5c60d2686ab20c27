import type { NotifiedEntry } from './notified-entry.js';

const MAX_ENTRIES = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** The newest entries of the log, for readers who are nearly up to date. It holds everything after `start`. */
export class LogRing {
  private entries: NotifiedEntry[] = [];
  private bytes = 0;

  /** @param start the position after which it begins to hold entries */
  constructor(private start: number) {}

  /** Whether it holds everything after the position. */
  holdsAfter(position: number): boolean {
    return position >= this.start;
  }

  add(entries: readonly NotifiedEntry[]): void {
    for (const entry of entries) {
      this.entries.push(entry);
      this.bytes += entry.bytes;
    }
    let dropped = 0;
    for (const entry of this.entries) {
      if (this.entries.length - dropped <= MAX_ENTRIES && this.bytes <= MAX_BYTES) break;
      this.bytes -= entry.bytes;
      this.start = entry.position;
      dropped += 1;
    }
    if (dropped > 0) this.entries = this.entries.slice(dropped);
  }

  /** The first entries after the position. */
  after(position: number, limit: number): readonly NotifiedEntry[] {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.entries[middle] as NotifiedEntry).position <= position) low = middle + 1;
      else high = middle;
    }
    return this.entries.slice(low, low + limit);
  }
}

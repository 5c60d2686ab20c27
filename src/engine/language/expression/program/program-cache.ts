/** Something that can be compiled again from its source at any time. */
export interface Evictable {
  /** Characters of its source, each of which takes some 50 to 150 bytes of memory. */
  readonly size: number;
  /** Set by every use; the cache clears it. */
  wasUsed: boolean;
  /** Releases what was compiled. */
  drop(): void;
}

/** Characters of source; all of them compiled take some 25 to 75 MB. */
const MAX_CACHED_CHARS = 500_000;

/**
 * Bounds what all compiled programs of a process take together, however many workflows there are. Programs that were not
 * used since the last pass go first (a second chance, as in a clock), so that a use costs one assignment, and nothing is
 * moved.
 */
export class ProgramCache {
  readonly #cached = new Set<Evictable>();
  #size = 0;

  constructor(private readonly maxSize = MAX_CACHED_CHARS) {}

  /** Adds what was just compiled; drops others until all of them fit. */
  add(item: Evictable): void {
    this.#cached.add(item);
    this.#size += item.size;
    for (const oldest of this.#cached) {
      if (this.#size <= this.maxSize) return;
      this.#cached.delete(oldest);
      // A program that was used moves to the end once: the pass after that finds it unused.
      if (oldest.wasUsed) {
        oldest.wasUsed = false;
        this.#cached.add(oldest);
        continue;
      }
      this.#size -= oldest.size;
      oldest.drop();
    }
  }
}

/** The cache of the process. */
export const PROGRAMS = new ProgramCache();

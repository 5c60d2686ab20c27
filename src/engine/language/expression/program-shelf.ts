/** What can be made again at any time from its source. */
export interface Shelved {
  /** Characters of its source, which its memory goes by: some 50 to 150 bytes for each. */
  readonly size: number;
  /** Set by every use; the shelf clears it. */
  wasUsed: boolean;
  /** Lets go of what was made. */
  drop(): void;
}

/** Characters of source: with all of them made ready some 25 to 75 MB. */
const MAX_SHELVED = 500_000;

/**
 * Bounds what all compiled programs of a process take together, however many workflows there are. What was not used
 * since it was last looked at goes first (a second chance, as in a clock): so a use costs one assignment, and nothing
 * is moved about.
 */
export class ProgramShelf {
  readonly #shelved = new Set<Shelved>();
  #size = 0;

  constructor(private readonly maxSize = MAX_SHELVED) {}

  /** Takes up what was just made; drops others until there is room. */
  add(item: Shelved): void {
    this.#shelved.add(item);
    this.#size += item.size;
    for (const oldest of this.#shelved) {
      if (this.#size <= this.maxSize) return;
      this.#shelved.delete(oldest);
      // Whatever was used comes round again behind the others, once: the pass after that finds it unused.
      if (oldest.wasUsed) {
        oldest.wasUsed = false;
        this.#shelved.add(oldest);
        continue;
      }
      this.#size -= oldest.size;
      oldest.drop();
    }
  }
}

/** That of the process. */
export const PROGRAMS = new ProgramShelf();

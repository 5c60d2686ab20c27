import type { Clock } from '../engine/index.js';

const MOST = 10_000;
const REMEMBERED_MS = 60_000;

interface Entry<Found> {
  readonly found: Found;
  /** By the clock's `now`. */
  readonly until: number;
  /** By the wall clock, as whoever issued it means it; null: never. */
  readonly expiresAt: number | null;
}

/**
 * Whom credentials are of, for as long as nothing changed; by the hash of the credentials, so that none are kept.
 *
 * 1. At most 60 s, and never beyond what the credentials say.
 * 2. What was looked up before a change is not kept after it: whoever looks up takes the `age` first.
 * 3. Beyond the most that is kept, what was used longest ago goes.
 */
export class Remembered<Found> {
  private readonly entries = new Map<string, Entry<Found>>();
  private currentAge = 0;
  /** The one that was used last: it is where it belongs. */
  private newest: string | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly most = MOST,
  ) {}

  /** Moves when all is forgotten. */
  get age(): number {
    return this.currentAge;
  }

  get(hash: string): Found | undefined {
    const entry = this.entries.get(hash);
    if (entry === undefined) return undefined;
    if (entry.until <= this.clock.now()) return this.forget(hash);
    if (entry.expiresAt !== null && entry.expiresAt <= this.clock.wallTime()) return this.forget(hash);
    if (hash !== this.newest) this.keep(hash, entry);
    return entry.found;
  }

  set(hash: string, found: Found, of: { readonly age: number; readonly expiresAt: number | null }): void {
    if (of.age !== this.currentAge) return;
    this.keep(hash, { found, until: this.clock.now() + REMEMBERED_MS, expiresAt: of.expiresAt });
    if (this.entries.size <= this.most) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }

  clear(): void {
    this.currentAge += 1;
    this.entries.clear();
  }

  private keep(hash: string, entry: Entry<Found>): void {
    this.entries.delete(hash);
    this.entries.set(hash, entry);
    this.newest = hash;
  }

  private forget(hash: string): undefined {
    this.entries.delete(hash);
  }
}

/** The minute of `maxRequestsPerMinute`. */
export const WINDOW_MS = 60_000;

/** Up to this many entries are exact. */
const EXACT = 1_000;
/** Beyond that, all calls within a slot count from the last of them: at most this much longer than a minute. */
const SLOT_MS = 60;

/**
 * The calls of the last minute, in bounded memory: at most some 2,000 entries, however many calls there were.
 *
 * 1. There are never more than `max` calls in any 60 s `[t, t + 60 s)`, if each was added only when there was room.
 * 2. It is exact while there are fewer than 1,000 entries: to the millisecond for at least 1,000 calls a minute. Beyond
 *    that it is rounded to the safe side by less than 60 ms, a thousandth.
 * 3. A clock that goes back frees nothing earlier, and keeps the entries in order.
 */
export class CallWindow {
  /** When the last call of each entry was (epoch ms), in order, and how many calls there were. */
  private readonly instants: number[] = [];
  private readonly counts: number[] = [];
  /** The index of the first entry that still counts. */
  private first = 0;
  private total = 0;

  add(now: number): void {
    this.expire(now);
    const last = this.instants.length - 1;
    const latest = this.instants[last];
    this.total += 1;
    if (latest === undefined || last < this.first || !this.areOne(latest, now)) {
      this.instants.push(latest === undefined ? now : Math.max(now, latest));
      this.counts.push(1);
      return;
    }
    this.instants[last] = Math.max(now, latest);
    this.counts[last] = (this.counts[last] ?? 0) + 1;
  }

  hasRoom(max: number, now: number): boolean {
    if (this.total < max) return true;
    this.expire(now);
    return this.total < max;
  }

  /** When there will be room without further calls (epoch ms); long past if there is room now. */
  roomAt(max: number): number {
    let left = this.total;
    let at = 0;
    for (let index = this.first; left >= max && index < this.instants.length; index += 1) {
      left -= this.counts[index] ?? 0;
      at = (this.instants[index] ?? 0) + WINDOW_MS;
    }
    return at;
  }

  /** An independent copy with the same calls. */
  copy(): CallWindow {
    const copy = new CallWindow();
    copy.instants.push(...this.instants.slice(this.first));
    copy.counts.push(...this.counts.slice(this.first));
    copy.total = this.total;
    return copy;
  }

  isEmpty(now: number): boolean {
    this.expire(now);
    return this.total === 0;
  }

  private areOne(latest: number, now: number): boolean {
    if (now <= latest) return true;
    if (this.instants.length - this.first < EXACT) return false;
    return Math.floor(now / SLOT_MS) === Math.floor(latest / SLOT_MS);
  }

  private expire(now: number): void {
    for (;;) {
      const at = this.instants[this.first];
      if (at === undefined || at + WINDOW_MS > now) break;
      this.total -= this.counts[this.first] ?? 0;
      this.first += 1;
    }
    // Compacted when half of them are spent: removing from the front would move the rest each time.
    if (this.first === 0 || this.first * 2 < this.instants.length) return;
    this.instants.splice(0, this.first);
    this.counts.splice(0, this.first);
    this.first = 0;
  }
}

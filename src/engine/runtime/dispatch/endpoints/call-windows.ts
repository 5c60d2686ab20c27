import { CallWindow } from './call-window.js';

/** Beyond this many, windows without a call in the last minute are removed. */
const MANY = 32;

/**
 * The calls of the last minute, as each limit counts them: those of units with the same limit or a lower one. So all limits
 * are kept, and no unit is blocked by calls that a higher limit allows to others: a unit with ten a minute is called next
 * to one with a hundred, and costs it ten at most.
 */
export class CallWindows {
  private readonly byLimit = new Map<number, CallWindow>();

  add(limit: number, now: number): void {
    if (!this.byLimit.has(limit)) this.open(limit, now);
    for (const [other, window] of this.byLimit) if (other >= limit) window.add(now);
  }

  /** `most`: so many of the calls that the limit counts there may be; fewer than it says where others share it. */
  hasRoom(limit: number, now: number, most = limit): boolean {
    return this.of(limit)?.hasRoom(most, now) ?? true;
  }

  /** When there will be room without further calls (epoch ms); long past if there is room now. */
  roomAt(limit: number, most = limit): number {
    return this.of(limit)?.roomAt(most) ?? 0;
  }

  isEmpty(now: number): boolean {
    for (const window of this.byLimit.values()) if (!window.isEmpty(now)) return false;
    return true;
  }

  /** The window of the limit, or the one of the next lower limit, which it would begin with. */
  private of(limit: number): CallWindow | undefined {
    const own = this.byLimit.get(limit);
    if (own !== undefined) return own;
    let nearest = 0;
    for (const other of this.byLimit.keys()) if (other < limit) nearest = Math.max(nearest, other);
    return this.byLimit.get(nearest);
  }

  private open(limit: number, now: number): void {
    if (this.byLimit.size >= MANY) {
      for (const [other, window] of this.byLimit) if (window.isEmpty(now)) this.byLimit.delete(other);
    }
    this.byLimit.set(limit, this.of(limit)?.copy() ?? new CallWindow());
  }
}

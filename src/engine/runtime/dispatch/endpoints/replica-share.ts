import { WINDOW_MS } from './call-window.js';

/** How many processes there were, and when that was seen last (epoch ms). */
interface SeenCount {
  readonly count: number;
  at: number;
}

/**
 * The part that this process has of a limit that holds for all processes on a store together.
 *
 * 1. It is that of the most processes that there were within the last minute: one that has just left used its part in that
 *    minute, too. One that has just come gets its part at once, so in that minute all of them may call a little more.
 * 2. It is rounded down, but never to nothing: where there are more processes than calls, each has one a minute.
 */
export class ReplicaShare {
  /** Each count is larger than those after it: of the others none can become the largest any more. */
  private readonly seen: SeenCount[] = [];

  constructor(private readonly replicaCount: () => number) {}

  /** What this process may use of the limit at that instant. */
  of(limit: number, now: number): number {
    const count = this.mostSince(now);
    return count === 1 ? limit : Math.max(1, Math.floor(limit / count));
  }

  private mostSince(now: number): number {
    const { seen } = this;
    const count = this.replicaCount();
    let last = seen.at(-1);
    // When it changed is not known: until now it may have been what it was.
    if (last !== undefined) last.at = now;
    while (last !== undefined && last.count < count) {
      seen.pop();
      last = seen.at(-1);
    }
    if (last?.count === count) last.at = now;
    else seen.push({ count, at: now });
    while (seen.length > 1 && (seen[0]?.at ?? 0) + WINDOW_MS <= now) seen.shift();
    return seen[0]?.count ?? count;
  }
}

/** How many time-outs are told apart; beyond that, the shortest two are merged. */
const MOST_TIMEOUTS = 64;

/** Failures that every unit with this time-out, or a shorter one, would have had. */
interface Failures {
  /** In ms; Infinity: they were no time-outs, and every unit would have had them. */
  readonly timeoutMs: number;
  count: number;
  /** Epoch ms. */
  lastAt: number;
}

/** The failures of an endpoint since it last worked, in bounded memory, countable for units with different time-outs. */
export class FailuresInARow {
  /** By time-out, the shortest first. */
  private readonly all: Failures[] = [];

  /** `timeoutMs`: the time-out that ran out; Infinity: none did. */
  add(timeoutMs: number, now: number): void {
    const at = this.all.findIndex((one) => one.timeoutMs >= timeoutMs);
    const known = at === -1 ? undefined : this.all[at];
    if (known?.timeoutMs === timeoutMs) {
      known.count += 1;
      known.lastAt = now;
      return;
    }
    this.all.splice(at === -1 ? this.all.length : at, 0, { timeoutMs, count: 1, lastAt: now });
    if (this.all.length > MOST_TIMEOUTS) this.joinShortest();
  }

  /** The failures that count for a unit with this time-out. */
  seenWith(timeoutMs: number): { readonly count: number; readonly lastAt: number } {
    let count = 0;
    let lastAt = 0;
    for (const failures of this.all) {
      if (failures.timeoutMs < timeoutMs) continue;
      count += failures.count;
      lastAt = Math.max(lastAt, failures.lastAt);
    }
    return { count, lastAt };
  }

  clear(): void {
    this.all.length = 0;
  }

  /** Merges the two shortest under the shorter time-out: they count for fewer units, never for more. */
  private joinShortest(): void {
    const [shortest, next] = this.all;
    if (shortest === undefined || next === undefined) return;
    shortest.count += next.count;
    shortest.lastAt = Math.max(shortest.lastAt, next.lastAt);
    this.all.splice(1, 1);
  }
}

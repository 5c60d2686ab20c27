/**
 * Random choices that the same seed makes again. Which moments they meet depends on the machine: a seed
 * repeats the plan of a run of the suite, not its timing.
 */
export class Choices {
  constructor(private state: number) {}

  /** From 0 to below 1 (mulberry32). */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  oneOf<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)] as T;
  }

  /** Independent choices for one of several concurrent users, so that none depends on who is first. */
  fork(): Choices {
    return new Choices(this.between(0, 2 ** 31 - 1));
  }
}

/** The seed that `FLOWGATE_CRASH_SEED` names, or a new one; either way it is printed. */
export function printedSeed(suite: string): number {
  const given = process.env['FLOWGATE_CRASH_SEED'];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  process.stdout.write(`${suite}: FLOWGATE_CRASH_SEED=${seed}\n`);
  return seed;
}

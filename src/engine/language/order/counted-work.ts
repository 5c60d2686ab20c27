/** A tenth of a second or so. */
const MAX_STEPS = 2_000_000;

/**
 * What it costs to look at the reads of one document, in steps from node to node. Worn out, nobody looks any further:
 * nothing more is refused, and nothing more warned of.
 */
export class CountedWork {
  #steps = 0;

  constructor(private readonly maxSteps = MAX_STEPS) {}

  add(steps: number): void {
    this.#steps += steps;
  }

  get steps(): number {
    return this.#steps;
  }

  get isWornOut(): boolean {
    return this.#steps > this.maxSteps;
  }
}

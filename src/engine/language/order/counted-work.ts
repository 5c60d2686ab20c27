/** About a tenth of a second. */
const MAX_STEPS = 2_000_000;

/**
 * The cost of checking the reads of one document, in steps from node to node. Once it is worn out, nothing more is refused
 * or warned of.
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

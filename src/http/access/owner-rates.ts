import { TooManyRequestsError } from '../../errors/access-errors.js';

const SECOND_MS = 1_000;
/** Of those who sent something within the last second no more are remembered; beyond it, who sent longest ago begins anew. */
const MOST_OWNERS = 10_000;

interface Allowance {
  readonly left: number;
  /** When that was so, ms. */
  readonly at: number;
}

/**
 * Bounds how many requests of one owner are taken a second: as many at once as in a second, and then as many as the time brings back.
 *
 * 1. All keys and tokens of an owner are one.
 * 2. What is refused costs the owner nothing: whoever goes on regardless is served at the rate.
 * 3. Nobody is remembered whose allowance is whole again.
 */
export class OwnerRates {
  /** Who sent longest ago stands first. */
  private readonly owners = new Map<string, Allowance>();

  constructor(
    private readonly perSecond: number,
    /** Ms by a clock that only advances. */
    private readonly now: () => number = () => performance.now(),
    private readonly most = MOST_OWNERS,
  ) {}

  /** How many owners are remembered. */
  get size(): number {
    return this.owners.size;
  }

  /** Throws a `TooManyRequestsError`. */
  take(owner: string): void {
    const { perSecond } = this;
    const now = this.now();
    this.forgetWhole(now);
    const known = this.owners.get(owner);
    const left =
      known === undefined
        ? perSecond
        : Math.min(perSecond, known.left + ((now - known.at) * perSecond) / SECOND_MS);
    if (left < 1) throw new TooManyRequestsError(perSecond, Math.ceil((1 - left) / perSecond));
    this.owners.delete(owner);
    this.owners.set(owner, { left: left - 1, at: now });
    if (this.owners.size > this.most) this.forgetFirst();
  }

  private forgetWhole(now: number): void {
    for (const [owner, { at }] of this.owners) {
      if (now - at < SECOND_MS) return;
      this.owners.delete(owner);
    }
  }

  private forgetFirst(): void {
    const [first] = this.owners.keys();
    if (first !== undefined) this.owners.delete(first);
  }
}

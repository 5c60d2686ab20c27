import { AllowanceFault } from '../faults/compile-fault.js';

/** The total size that the expressions of one document may have. */
export interface ExpressionAllowance {
  /** Throws an `AllowanceFault` when the source exceeds the allowance. */
  take(source: string): void;
}

/** The allowance of an expression that belongs to no document. */
export const UNLIMITED: ExpressionAllowance = { take: () => undefined };

/** What each expression costs in addition to its characters, since none is free. */
const OWN_COST = 16;

/** Counts down from `length` characters. */
export class CountedAllowance implements ExpressionAllowance {
  #left: number;

  constructor(private readonly length: number) {
    this.#left = length;
  }

  get isUsedUp(): boolean {
    return this.#left < 0;
  }

  take(source: string): void {
    this.#left -= source.length + OWN_COST;
    if (!this.isUsedUp) return;
    throw new AllowanceFault(
      `a workflow may have ${this.length} characters of expressions together, and here are more: ` +
        'shorten them, or split the workflow',
      0,
    );
  }
}

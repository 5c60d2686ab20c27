import { AllowanceFault } from './compile-fault.js';

/** What the expressions of one document may be together. */
export interface ExpressionAllowance {
  /** Throws an `AllowanceFault` when the source is one too many. */
  take(source: string): void;
}

/** For an expression that is of no document. */
export const UNLIMITED: ExpressionAllowance = { take: () => undefined };

/** Characters of source, and a few for each expression, which is never free. */
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

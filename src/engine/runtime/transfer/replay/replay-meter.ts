import { InvalidRequestError } from '../../../../errors/request-errors.js';

/** The most steps of expressions and events, as turns count them: 10,000,000 take some 20 ms. */
const MAX_STEPS = 20_000_000_000;
/** Looking at one scope takes about as long as so many steps of an expression. */
const STEPS_OF_A_LOOK = 100;

/**
 * Counts what going through a log takes, by work and not by time: the same export is refused everywhere, or nowhere. Throws
 * an `InvalidRequestError` where it is too much.
 */
export class ReplayMeter {
  private steps = 0;

  constructor(private readonly most = MAX_STEPS) {}

  count(steps: number): void {
    this.steps += steps;
    if (this.steps <= this.most) return;
    throw new InvalidRequestError(
      'The export takes too long to follow: its expressions cost more than those of an import may. Look at it with flowgate replay in its place',
    );
  }

  look(scopes: number): void {
    this.count(scopes * STEPS_OF_A_LOOK);
  }
}

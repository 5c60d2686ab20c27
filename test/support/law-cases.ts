const USUAL = 200;

/**
 * How many random cases a law is shown with: `full` in `npm run test:laws`, 200 of them at most in `npm test`, or as many as the
 * variable says.
 */
export function lawCases(full: number, variable = 'FLOWGATE_PROPERTY_RUNS'): number {
  const given = process.env[variable];
  if (given !== undefined) return Number(given);
  return process.env['FLOWGATE_LAWS'] === 'full' ? full : Math.min(full, USUAL);
}

/** How large a hostile input is: `full` in `npm run test:laws`, a fifth of it in `npm test`. */
export function lawSize(full: number): number {
  return process.env['FLOWGATE_LAWS'] === 'full' ? full : full / 5;
}

const MOST_ROUNDS = 10;

/**
 * Shows a law with random cases until enough of them were of the kind that it speaks of: how many are is left to chance, and a test
 * that asks for a number of them in one round fails now and then without a fault. Ten rounds at most; returns whether it was enough.
 */
export function shownUntil(hasEnough: () => boolean, showRound: () => void): boolean {
  for (let round = 0; round < MOST_ROUNDS && !hasEnough(); round++) showRound();
  return hasEnough();
}

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

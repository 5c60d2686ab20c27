import fc from 'fast-check';
import { deeds, family } from './support/family-arbitrary.js';
import { inMemory, onSqlite, type Shelf } from './support/family-shelf.js';
import { playFamily } from './support/play-family.js';
import { lawCases } from '../support/law-cases.js';

/** `FLOWGATE_FAMILIES=20000` for the whole proof; `FLOWGATE_FAMILY_SEED` (and `_PATH`) to see one case again. */
const numRuns = lawCases(500, 'FLOWGATE_FAMILIES');
const given = process.env['FLOWGATE_FAMILY_SEED'];
const path = process.env['FLOWGATE_FAMILY_PATH'];

async function holds(shelf: () => Shelf, cases: number): Promise<void> {
  const seed = given === undefined ? {} : { seed: Number(given) };
  await fc.assert(
    fc.asyncProperty(family, deeds, async (sketch, done) => {
      const faults = await playFamily(sketch, done, shelf());
      if (faults !== null) throw new Error(faults);
    }),
    { numRuns: cases, ...seed, ...(path === undefined ? {} : { path }) },
  );
}

describe('a random family of runs that is steered and killed at random', () => {
  it(
    'pauses when it is ordered to, passes no pause that was not lifted, and comes to its end',
    () => holds(inMemory, numRuns),
    60_000 + numRuns * 500,
  );

  it(
    'does so over SQLite, where each process finds what the one before had stored',
    () => holds(onSqlite, Math.ceil(numRuns / 10)),
    60_000 + numRuns * 200,
  );
});

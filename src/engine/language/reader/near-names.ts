import { nearNames as namesNear } from '../../../errors/near-names.js';

/** One typo in a name of two letters makes any other: these match only in another case. */
const SHORTEST_TO_GUESS = 3;

/** The known names that could have been meant in a document, nearest first: one typo in three letters. */
export function nearNames(name: string, known: Iterable<string>, limit = 1): readonly string[] {
  return namesNear(name, known, { typos: typosIn, limit });
}

function typosIn(letters: number): number {
  return letters < SHORTEST_TO_GUESS ? 0 : Math.floor(letters / 3);
}

import { nearNames as namesNear } from '../../../errors/near-names.js';

/** One slip in a name of two letters makes any other: of these only another case is near. */
const SHORTEST_TO_GUESS = 3;

/** The known names that could have been meant in a document, nearest first: one slip in three letters. */
export function nearNames(name: string, known: Iterable<string>, limit = 1): readonly string[] {
  return namesNear(name, known, { slips: slipsIn, limit });
}

function slipsIn(letters: number): number {
  return letters < SHORTEST_TO_GUESS ? 0 : Math.floor(letters / 3);
}

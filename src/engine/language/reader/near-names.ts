import { nearNames as namesNear } from '../../../errors/near-names.js';

/** The known names that could have been meant in a document, nearest first: one slip in three letters. */
export function nearNames(name: string, known: Iterable<string>, limit = 1): readonly string[] {
  return namesNear(name, known, { slips: (letters) => Math.max(1, Math.floor(letters / 3)), limit });
}

import { nearNames } from '../../../../src/engine/language/reader/near-names.js';

/** A piece of a line that could stand there instead. */
export interface Correction {
  /** From the beginning of the line. */
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

const SUGGESTED = /did you mean (.{1,300}?)\?$/;
const WORD = /[\w$./-]+/g;
/** Longer lines are looked at around the fault alone. */
const MOST_CHARACTERS = 2_000;

/**
 * What a fault suggests, as a change of its line: the word nearest to the suggestion is replaced, at the fault or behind it, else
 * before it. Null: it suggests nothing, or nothing in the line is near.
 */
export function correctionOf(message: string, line: string, column: number): Correction | null {
  const names = suggestedNames(message);
  const start = Math.max(0, column - 1 - MOST_CHARACTERS);
  const words = [...line.slice(start, column - 1 + MOST_CHARACTERS).matchAll(WORD)].map((found) => {
    const from = start + found.index;
    return { from, to: from + found[0].length, text: found[0] };
  });
  const inOrder = [
    ...words.filter(({ to }) => to >= column),
    ...words.filter(({ to }) => to < column).toReversed(),
  ];
  for (const { from, to, text } of inOrder)
    for (const insert of names) if (text !== insert && isNear(text, insert)) return { from, to, insert };
  return null;
}

/** The names that the service, or the reader, would have understood; those that are no names are left out. */
function suggestedNames(message: string): readonly string[] {
  const [, list = ''] = SUGGESTED.exec(message) ?? [];
  return list
    .split(' or ')
    .map((name) => name.replace(/^`|`$/g, ''))
    .filter((name) => name !== '' && !/\s/.test(name));
}

/** As near as the reader takes for a typo, or a name without the prefix of the service's own. */
function isNear(word: string, name: string): boolean {
  return nearNames(word, [name]).length > 0 || name.endsWith(`.${word}`);
}

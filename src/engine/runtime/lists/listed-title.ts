/** A longer title is read from its run, as its messages say it. */
const MAX_TITLE_CHARS = 200;

/** A title as lists show it: a page of 200 gates, or of 200 runs with 20 gates each, must stay one that can be sent. */
export interface ListedTitle {
  readonly title: string;
  readonly titleCut?: true;
}

export function listedTitle(title: string): ListedTitle {
  if (title.length <= MAX_TITLE_CHARS) return { title };
  // Half of a pair is no character.
  const beginning = title.slice(0, MAX_TITLE_CHARS).replace(/[\uD800-\uDBFF]$/, '');
  // A copy: V8 has the beginning of a text keep all of the text, and thousands of these are kept.
  return { title: structuredClone(beginning), titleCut: true };
}

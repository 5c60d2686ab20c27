import { beginningOf } from '../../core/turn/failing/beginning-of.js';

/** A longer title is read from its run, as its messages say it. */
const MAX_TITLE_CHARS = 200;
/** A longer description is in the event that opened the gate. */
const MAX_DESCRIPTION_CHARS = 1_000;

/** A title as lists show it: a page of 200 gates, or of 200 runs with 20 gates each, must stay one that can be sent. */
export interface ListedTitle {
  readonly title: string;
  readonly titleCut?: true;
}

/** A description as lists show it; null: the gate has none. */
export interface ListedDescription {
  readonly description: string | null;
  readonly descriptionCut?: true;
}

export function listedTitle(title: string): ListedTitle {
  if (title.length <= MAX_TITLE_CHARS) return { title };
  return { title: copiedBeginning(title, MAX_TITLE_CHARS), titleCut: true };
}

export function listedDescription(description: string | null): ListedDescription {
  if (description === null || description.length <= MAX_DESCRIPTION_CHARS) return { description };
  return { description: copiedBeginning(description, MAX_DESCRIPTION_CHARS), descriptionCut: true };
}

/** V8 has the beginning of a text keep all of the text, and thousands of these are kept. */
function copiedBeginning(text: string, chars: number): string {
  return structuredClone(beginningOf(text, chars));
}

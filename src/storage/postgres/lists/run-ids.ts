/**
 * Ids of runs here are UUIDs in lower case, stored in 16 bytes, which have the order of their texts. What comes from elsewhere
 * (a cursor, the beginning of an id) may be any text: these functions say where it lies among the ids, by the order of texts.
 */
const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The least id that there can be. */
export const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const DIGITS = '0123456789abcdef';
const DASH = '-';

/** Whether a run of this store can have the id. */
export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}

/** The least id that is the text, or comes after it; null: all come before it. */
export function leastIdFrom(text: string): string | null {
  const shared = lengthOfBeginning(text);
  if (shared === text.length) return text + LEAST_ID.slice(shared);
  let above = text.charAt(shared);
  for (let at = shared; at >= 0; at -= 1) {
    const raised = leastAbove(above, at);
    if (raised !== null) return text.slice(0, at) + raised + LEAST_ID.slice(at + 1);
    above = text.charAt(at - 1);
  }
  return null;
}

/** The least id that comes after the text; null: there is none. */
export function leastIdAfter(text: string): string | null {
  return leastIdFrom(`${text}\0`);
}

/** The first and the last of the ids that begin with the text; null: none does. */
export function idsThatBeginWith(text: string): readonly [least: string, greatest: string] | null {
  if (lengthOfBeginning(text) < text.length) return null;
  return [text + LEAST_ID.slice(text.length), text + GREATEST_ID.slice(text.length)];
}

/** How many characters of the text an id can begin with. */
function lengthOfBeginning(text: string): number {
  let length = 0;
  while (length < text.length && fits(text.charAt(length), length)) length += 1;
  return length;
}

function fits(character: string, at: number): boolean {
  return charactersAt(at).includes(character);
}

/** The least character of an id at this point that comes after another one; null: there is none. */
function leastAbove(character: string, at: number): string | null {
  return [...charactersAt(at)].find((one) => one > character) ?? null;
}

/** What an id can have there, in order. */
function charactersAt(at: number): string {
  if (at >= LEAST_ID.length) return '';
  return LEAST_ID.charAt(at) === DASH ? DASH : DIGITS;
}

/**
 * What a state takes next to its values, in characters of about two bytes. It is counted with them, so that the limit on a
 * state limits its memory: a hundred thousand passes that hold nothing take as much as texts do.
 */
export const CHARS_OF_A_SCOPE = 400;
export const CHARS_OF_A_WAIT = 200;

const CHARS_OF_A_KEY = 200;
/** Beyond so many in one scope, keys are dear: a unit that is given the state is given all of them at once. */
const CHEAP_KEYS = 10_000;
const CHARS_OF_A_DEAR_KEY = 3_000;

/** What so many keys of one scope take. */
export function charsOfKeys(count: number): number {
  return count <= CHEAP_KEYS
    ? count * CHARS_OF_A_KEY
    : CHEAP_KEYS * CHARS_OF_A_KEY + (count - CHEAP_KEYS) * CHARS_OF_A_DEAR_KEY;
}

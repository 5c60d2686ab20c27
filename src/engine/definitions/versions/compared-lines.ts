import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** One of two texts, and what it is called at the head of the diff. */
export interface Side {
  readonly name: string;
  readonly text: string;
}

export interface ComparingLimits {
  readonly timeLimitMs: number;
  readonly maxChars: number;
}

/** Of what an answer may hold: more is read by nobody. */
const MAX_CHARS = 1_048_576;
/** On the event loop. */
export const LOOP_COMPARING: ComparingLimits = { timeLimitMs: 20, maxChars: MAX_CHARS };
/** In a thread of its own. */
export const THREAD_COMPARING: ComparingLimits = { timeLimitMs: 2_000, maxChars: MAX_CHARS };

/** Lines around each change. */
const CONTEXT = 3;

/**
 * The texts line by line, as a unified diff; the empty text where they are the same, null where that would take longer
 * or come to more than the limits say.
 */
export function comparedLines(
  from: Side,
  to: Side,
  { timeLimitMs, maxChars }: ComparingLimits,
): string | null {
  if (from.text === to.text) return '';
  const options = { context: CONTEXT, timeout: timeLimitMs, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(from.name, to.name, from.text, to.text, undefined, undefined, options);
  return patch === undefined || patch.length > maxChars ? null : patch;
}

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

/** The most characters of a diff; a longer one is read by nobody. */
const MAX_CHARS = 1_048_576;
/** The limits on the event loop. */
export const LOOP_COMPARING: ComparingLimits = { timeLimitMs: 20, maxChars: MAX_CHARS };
/** The limits in a thread. */
export const THREAD_COMPARING: ComparingLimits = { timeLimitMs: 2_000, maxChars: MAX_CHARS };

/** Lines around each change. */
const CONTEXT = 3;

/**
 * A line-by-line comparison of the texts, as a unified diff: empty where they are the same, null where it would exceed the
 * limits.
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

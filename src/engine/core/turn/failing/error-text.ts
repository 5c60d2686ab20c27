import { beginningOf } from './beginning-of.js';

/** The error of a run is copied into its log, its record and its messages, so its length is bounded. */
const MAX_CHARS = 65_536;

/** The text, truncated to what an error may hold, with a note of how much was left out. */
export function errorText(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const kept = beginningOf(text, MAX_CHARS);
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** Joins the errors, as many of them as one error has space for. */
export function errorsTogether(errors: readonly string[]): string {
  let text = '';
  for (const [index, error] of errors.entries()) {
    if (text.length > MAX_CHARS) return `${errorText(text)}; and ${errors.length - index} more`;
    text += index === 0 ? errorText(error) : `; ${errorText(error)}`;
  }
  return errorText(text);
}

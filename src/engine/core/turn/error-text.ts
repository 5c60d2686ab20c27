/** The error of a run stands in its log, its record and its messages: so much of it, and no more. */
const MAX_CHARS = 65_536;

/** The text as far as an error may go, with what was left out. */
export function errorText(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  // A cut between the halves of a surrogate pair would leave a character that no encoding can carry.
  const kept = text.slice(0, MAX_CHARS).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** The errors one after another, as many of them as an error has room for. */
export function errorsTogether(errors: readonly string[]): string {
  let text = '';
  for (const [index, error] of errors.entries()) {
    if (text.length > MAX_CHARS) return `${errorText(text)}; and ${errors.length - index} more`;
    text += index === 0 ? errorText(error) : `; ${errorText(error)}`;
  }
  return errorText(text);
}

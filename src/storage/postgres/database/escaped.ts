/**
 * PostgreSQL's `text` holds neither NUL nor half of a surrogate pair. Callers and authors may send both: in labels, keys, names
 * of namespaces, documents. Such a character is stored as a sign and its four hex digits, and so is the sign itself. Other texts
 * stay as they are.
 *
 * 1. `unescaped(escaped(text))` is `text`, for every text.
 * 2. Two texts that differ differ as escaped texts, too: a unique key stays one.
 */
const SIGN = '\u241b';
/** With `u`, a pair is one character, so that `Cs` means halves only. */
const NOT_AS_IT_IS = /[\0\u241b\p{Cs}]/gu;
const ESCAPED = /\u241b([0-9a-f]{4})/g;
const HEX_DIGITS = 4;

/** The text as a column can hold it. Not for JSON: its texts escape both by themselves. */
export function escaped(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.includes(SIGN)) return text;
  return text.replace(
    NOT_AS_IT_IS,
    (character) => SIGN + character.charCodeAt(0).toString(16).padStart(HEX_DIGITS, '0'),
  );
}

/** The text that `escaped` was given. */
export function unescaped(text: string): string {
  if (!text.includes(SIGN)) return text;
  return text.replace(ESCAPED, (_escaped, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

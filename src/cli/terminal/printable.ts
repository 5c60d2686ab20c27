/**
 * Text that may hold what somebody else wrote, for a terminal: no control character of it gets there, for they move
 * cursors, rename windows and hide lines. Line ends and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}

/** The same on one line, and no longer than `most` characters. */
export function oneLine(text: string, most = 300): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

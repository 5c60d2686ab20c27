/**
 * Makes foreign text safe for a terminal: control characters, which can move cursors, rename windows and hide lines,
 * are replaced. Line ends and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
}

/** As `printable`, on one line, and no longer than `most` characters. */
export function oneLine(text: string, most = 300): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

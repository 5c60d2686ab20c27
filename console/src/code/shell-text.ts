/** Nothing inside of single quotes means anything to a POSIX shell; a quote itself stands between two such texts. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** As it is, where a shell reads it as one word that means nothing but itself. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellQuoted(text);
}

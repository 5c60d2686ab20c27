export interface Wrapping {
  /** The most characters of a line; a word that is longer has a line of its own. */
  readonly width: number;
  /** Blanks before the first line. Default 0. */
  readonly indent?: number;
  /** Blanks before the others. Default as the first. */
  readonly hanging?: number;
  /** Stands at the end of each line that goes on. */
  readonly mark?: string;
}

/** A text in lines of whole words. */
export function wrappedWords(
  text: string,
  { width, indent = 0, hanging = indent, mark = '' }: Wrapping,
): readonly string[] {
  const lines: string[] = [];
  const [first = '', ...words] = text.split(' ');
  let line = `${' '.repeat(indent)}${first}`;
  for (const word of words) {
    const longer = `${line} ${word}`;
    if (longer.length + mark.length <= width) {
      line = longer;
      continue;
    }
    lines.push(`${line}${mark}`);
    line = `${' '.repeat(hanging)}${word}`;
  }
  return [...lines, line];
}

export interface Font {
  /** Pixels. */
  readonly size: number;
  readonly isBold?: boolean;
  readonly isMono?: boolean;
}

const NARROW = new Set("iljI|!.,:;'` ");
const SLIM = new Set('ftr()[]-/"');
const BROAD = new Set('mwMW@%…→');

/**
 * The width of a text in pixels, never too small: widths are those of DejaVu Sans, the broadest of the typefaces that a page may
 * end up with. A picture is drawn where no typeface can be measured.
 */
export function widthOf(text: string, { size, isBold = false, isMono = false }: Font): number {
  if (isMono) return [...text].length * 0.603 * size;
  const ems = [...text].reduce((sum, letter) => sum + emsOf(letter), 0);
  return ems * size * (isBold ? 1.1 : 1);
}

function emsOf(letter: string): number {
  if (NARROW.has(letter)) return 0.34;
  if (SLIM.has(letter)) return 0.42;
  if (BROAD.has(letter)) return 0.96;
  return /\p{Lu}/u.test(letter) ? 0.71 : 0.625;
}

/** A text as lines of at most that width. A word that is wider has a line of its own. */
export function wrapped(text: string, width: number, font: Font): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && widthOf(longer, font) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

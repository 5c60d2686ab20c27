/** Characters that terminals give two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /\p{Mn}|\p{Me}|\p{Cf}/u;

/** The approximate number of columns that a text takes; terminals differ in rare characters. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfOne(character);
  return width;
}

/** The longest beginning of a text that fits into so many columns. */
export function truncateToWidth(text: string, columns: number): string {
  let truncated = '';
  let width = 0;
  for (const character of text) {
    width += widthOfOne(character);
    if (width > columns) break;
    truncated += character;
  }
  return truncated;
}

function widthOfOne(character: string): number {
  if (WIDE.test(character)) return 2;
  return NO_WIDTH.test(character) ? 0 : 1;
}

/** A piece of a text: as it is, or the name of a character that nobody would see. */
export type TextPiece = { readonly text: string } | { readonly sign: string };

/**
 * Characters that reorder what stands around them, or that cannot be seen: with them a text can look like another one. Tabs and line
 * breaks are left as they are.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** The last makes a colourful emoji of the character before it. */
const HARMLESS: ReadonlySet<string> = new Set(['\t', '\n', '\uFE0F']);

/** The text in pieces, with a mark for each character that would not be seen. */
export function visiblePieces(text: string): readonly TextPiece[] {
  if (!UNSEEN.test(text)) return [{ text }];
  const pieces: TextPiece[] = [];
  let seen = '';
  for (const character of text) {
    if (!UNSEEN.test(character) || HARMLESS.has(character)) {
      seen += character;
      continue;
    }
    if (seen !== '') pieces.push({ text: seen });
    seen = '';
    pieces.push({ sign: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}` });
  }
  if (seen !== '') pieces.push({ text: seen });
  return pieces;
}

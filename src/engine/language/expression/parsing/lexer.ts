/** One piece of CEL text, as far as brackets are concerned. */
interface Token {
  readonly text: string;
  readonly offset: number;
}

/** A comment, a text literal (raw and triple-quoted ones included, closed or not), or one character. */
const TOKEN = new RegExp(
  [
    String.raw`//[^\r\n]*`,
    // An identifier before a quote is its prefix if it has an r: then a backslash is a character.
    String.raw`\b(?:[rR][bB]?|[bB][rR])(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"[^"\r\n]*"?|'[^'\r\n]*'?)`,
    String.raw`"""(?:\\[^]|[^\\])*?(?:"""|$)|'''(?:\\[^]|[^\\])*?(?:'''|$)`,
    String.raw`"(?:\\[^]|[^"\\\r\n])*"?|'(?:\\[^]|[^'\\\r\n])*'?`,
    String.raw`[\w$]+`,
    '[^]',
  ].join('|'),
  'y',
);

/** The tokens from `offset` on; a lexer that never fails, because the parser says better what is wrong. */
export function* tokensOf(text: string, offset = 0): Generator<Token> {
  // A regular expression of its own: generators may be abandoned and run at the same time.
  const pattern = new RegExp(TOKEN);
  pattern.lastIndex = offset;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield { text: match[0], offset: match.index };
  }
}

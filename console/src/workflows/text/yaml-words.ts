/** What a piece of a YAML text is, for its colour. */
export type YamlWord = 'key' | 'text' | 'number' | 'constant' | 'comment' | 'expression' | null;

export interface YamlPiece {
  readonly word: YamlWord;
  readonly text: string;
}

const PATTERNS: readonly (readonly [YamlWord, RegExp])[] = [
  ['expression', /\$\{\{.*?\}\}|\$\{secret:[^}]*\}/y],
  ['comment', /(?<=^|\s)#.*$/y],
  ['key', /(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[\w$./@][\w$./@ -]*)(?=\s*:(?:\s|$))/y],
  ['text', /"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?/y],
  ['number', /(?<![\w.-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.-])/y],
  ['constant', /(?<![\w.-])(?:true|false|null|~)(?![\w.-])/y],
];

/**
 * One line in coloured pieces; together they are the line. It looks at a line alone, so the inside of a text over several lines is
 * coloured as if it were YAML: a colour is a help, never a claim.
 */
export function yamlPieces(line: string): readonly YamlPiece[] {
  const pieces: YamlPiece[] = [];
  let plain = '';
  let at = 0;
  while (at < line.length) {
    const found = pieceAt(line, at);
    if (found === null) {
      plain += line[at];
      at += 1;
      continue;
    }
    if (plain !== '') pieces.push({ word: null, text: plain });
    plain = '';
    pieces.push(found);
    at += found.text.length;
  }
  if (plain !== '') pieces.push({ word: null, text: plain });
  return pieces;
}

function pieceAt(line: string, at: number): YamlPiece | null {
  for (const [word, pattern] of PATTERNS) {
    if (word === 'key' && !mayBeginKey(line, at)) continue;
    pattern.lastIndex = at;
    const text = pattern.exec(line)?.[0];
    if (text !== undefined && text !== '') return { word, text };
  }
  return null;
}

/** At the beginning of a line or an item, and in braces. */
function mayBeginKey(line: string, at: number): boolean {
  const before = line.slice(0, at).trimEnd();
  return before === '' || /(?:[{,]|(?:^|\s)-)$/.test(before);
}

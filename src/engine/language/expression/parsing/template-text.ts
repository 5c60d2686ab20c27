import { CompileFault } from '../faults/compile-fault.js';
import { tokensOf } from './lexer.js';

/** A string of a template, cut at its expressions. */
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `offset` is where the source begins in the string. */
  | { readonly kind: 'expression'; readonly source: string; readonly offset: number };

/** `$${{`, which stands for the three characters after its first, or the opening of an expression. */
const MARK = /\$?\$\{\{/g;

const UNCLOSED = 'this ${{ is never closed: end the expression with }}';

/** Throws a `CompileFault` for an expression without an end. Neighbouring texts are not joined. */
export function piecesOf(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let written = 0;
  const write = (end: number): void => {
    if (end > written) pieces.push({ kind: 'text', text: text.slice(written, end) });
  };
  const marks = new RegExp(MARK);
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    write(mark.index);
    if (mark[0].startsWith('$$')) {
      written = mark.index + 1;
      continue;
    }
    const start = marks.lastIndex;
    const end = endOfExpression(text, start);
    if (end === null) throw new CompileFault(UNCLOSED, mark.index);
    pieces.push({ kind: 'expression', source: text.slice(start, end), offset: start });
    written = end + 2;
    marks.lastIndex = written;
  }
  write(text.length);
  return pieces;
}

/** Where the `}}` begins that closes the expression: not one in a string, a comment or at the end of maps. */
function endOfExpression(text: string, start: number): number | null {
  let open = 0;
  for (const token of tokensOf(text, start)) {
    if (token.text === '{') open += 1;
    else if (token.text === '}') {
      if (open === 0) return text.startsWith('}}', token.offset) ? token.offset : null;
      open -= 1;
    }
  }
  return null;
}

import type { Scalar } from 'yaml';

const SPACE = /\s/;
/** What a backslash and a character stand for in double quotes; others stand for themselves. */
const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001B',
  N: '\u0085',
  _: '\u00A0',
  L: '\u2028',
  P: '\u2029',
};
const CODE = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/;

/** A character of a text, or several that one escape stands for, and where they are written. */
interface Written {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The source position of the character at `offset` of the scalar's text. The styles of YAML fold, indent and escape, but
 * they only add and remove white space: the rest is counted. Null where text and source do not agree.
 */
export function positionInScalar(
  source: string,
  scalar: Scalar,
  text: string,
  offset: number,
): number | null {
  const [begin, valueEnd] = scalar.range ?? [0, 0];
  const style = scalar.type;
  let at = begin;
  if (style === 'BLOCK_LITERAL' || style === 'BLOCK_FOLDED') at = source.indexOf('\n', begin) + 1;
  else if (style === 'QUOTE_DOUBLE' || style === 'QUOTE_SINGLE') at = begin + 1;
  let last: number | null = null;
  for (let index = 0; index < text.length;) {
    if (SPACE.test(text.charAt(index))) {
      // The end of the text before it, for a fault at that end.
      if (index >= offset) return last ?? at;
      index += 1;
      continue;
    }
    const written = nextWritten(source, at, valueEnd, style);
    if (written === null || !text.startsWith(written.value, index)) return null;
    if (index + written.value.length > offset) return written.start;
    index += written.value.length;
    at = written.end;
    last = at;
  }
  return last ?? at;
}

/** The next character that is no white space; null at the end. */
function nextWritten(source: string, from: number, end: number, style: Scalar['type']): Written | null {
  let at = from;
  while (at < end) {
    const written = writtenAt(source, at, style);
    if (!SPACE.test(written.value) && written.value !== '') return written;
    at = written.end;
  }
  return null;
}

function writtenAt(source: string, at: number, style: Scalar['type']): Written {
  const character = source.charAt(at);
  if (style === 'QUOTE_SINGLE' && source.startsWith("''", at)) return { value: "'", start: at, end: at + 2 };
  if (style !== 'QUOTE_DOUBLE' || character !== '\\') return { value: character, start: at, end: at + 1 };
  const code = CODE.exec(source.slice(at, at + 10));
  if (code !== null) {
    const value = String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16));
    return { value, start: at, end: at + code[0].length };
  }
  const next = source.charAt(at + 1);
  return { value: ESCAPES[next] ?? next, start: at, end: at + 2 };
}

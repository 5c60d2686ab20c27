import { CompileFault } from '../faults/compile-fault.js';
import { tokensOf } from './lexer.js';

/** Where a mistake stands in the source, and what to write instead. */
interface Mistake {
  readonly text: string;
  readonly offset: number;
  readonly advice: string;
}

/** Operators of other languages, of which the parser only says that they cannot stand here. The longer ones come first. */
const OPERATORS: readonly (readonly [text: string, advice: string])[] = [
  ['===', 'compare with =='],
  ['!==', 'compare with !='],
  ['=>', 'write >= for "at least", and list.exists(x, x > 1) for a function'],
  ['<>', 'compare with !='],
  ['??', 'for another value where one is missing write has(input.x) ? input.x : 1'],
  ['?.', 'test first whether it is there: has(input.x) && input.x > 1'],
];
const WORDS: Readonly<Record<string, string>> = {
  and: 'write &&',
  or: 'write ||',
  not: 'write !',
  is: 'compare with ==',
  if: 'write condition ? value : other',
  then: 'write condition ? value : other',
  like: 'write text.matches("pattern") or text.contains("part")',
};
const QUOTES = /^[\u201C\u201D\u201E\u2018\u2019`]/;

/** The fault, or one that names the mistake that caused it. The source did not parse, or has an unknown name. */
export function withMistakeNamed(fault: CompileFault, source: string): CompileFault {
  const mistake = bracesAround(source) ?? (fault.isSyntax ? mistakeIn(source) : null);
  if (mistake === null) return fault;
  const { text, offset, advice } = mistake;
  return new CompileFault(`${JSON.stringify(text.slice(0, 40))} cannot stand here: ${advice}`, offset);
}

/** The mistake of writing the whole source in the braces of a template. */
function bracesAround(source: string): Mistake | null {
  const match = /^(\s*)(\$?\{\{)([^]*?)(?:\}\})?\s*$/.exec(source);
  if (match === null) return null;
  const [, space = '', braces = '', inside = ''] = match;
  const shown = inside.trim().slice(0, 100).replaceAll(/\s+/g, ' ');
  const instead = shown === '' ? '' : `, and write ${shown}`;
  const advice = `this is an expression already, so leave ${braces} }} out${instead}`;
  return { text: braces, offset: space.length, advice };
}

function mistakeIn(source: string): Mistake | null {
  const tokens = [...tokensOf(source)];
  for (const [index, { text, offset }] of tokens.entries()) {
    const before = tokens[index - 1]?.text ?? '';
    const operator = OPERATORS.find(([written]) => source.startsWith(written, offset));
    if (operator !== undefined && !isQuoted(text)) {
      return { text: operator[0], offset, advice: operator[1] };
    }
    const single = singleCharacter(text, before, tokens[index + 1]?.text ?? '');
    if (single !== null) return { text, offset, advice: single };
    const word = text.toLowerCase();
    if (before !== '.' && Object.hasOwn(WORDS, word)) {
      return { text, offset, advice: WORDS[word] ?? '' };
    }
    if (QUOTES.test(text)) return { text, offset, advice: 'put texts in straight quotes, " or \'' };
    if (/^\$\w/.test(text)) return { text, offset, advice: `write ${text.slice(1, 60)}, without the $` };
    if (text === '$') return { text, offset, advice: 'names stand by themselves, as in input.x' };
  }
  return null;
}

/** Advice for a `=`, `&` or `|` that is part of no operator. */
function singleCharacter(text: string, before: string, after: string): string | null {
  if (text === '=' && after !== '=' && !['=', '!', '<', '>'].includes(before)) return 'compare with ==';
  if (text === '&' && after !== '&' && before !== '&') return 'write &&';
  if (text === '|' && after !== '|' && before !== '|')
    return 'write || for "or"; there are no filters: call a function, as in input.x.lowerAscii()';
  return null;
}

function isQuoted(token: string): boolean {
  return /^\w{0,2}["']/.test(token) || token.startsWith('//');
}

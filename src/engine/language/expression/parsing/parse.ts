import { messageOf } from '../../../../errors/flowgate-error.js';
import { parse } from '@bufbuild/cel';
import { MAX_BRACKET_DEPTH, MAX_SOURCE_LENGTH, MAX_SYNTAX_DEPTH } from '../limits/bounds.js';
import { CompileFault } from '../faults/compile-fault.js';
import { tokensOf } from './lexer.js';

export type Syntax = ReturnType<typeof parse>;
export type SyntaxNode = Syntax['expr'];

/** The syntax tree of the text, however the text is made. Throws a `CompileFault`. */
export function parseSource(source: string): Syntax {
  if (source.trim() === '')
    throw new CompileFault('the expression is empty: write one, or leave the field out', 0);
  if (source.length > MAX_SOURCE_LENGTH) {
    throw new CompileFault(`the expression is longer than ${MAX_SOURCE_LENGTH} characters: shorten it`, 0);
  }
  checkNesting(source);
  try {
    return parse(source);
  } catch (error) {
    throw asFault(error, source);
  }
}

/** The parser recurses into brackets and into `? :`, so both are counted before it runs. */
function checkNesting(source: string): void {
  let open = 0;
  let conditionals = 0;
  for (const { text, offset } of tokensOf(source)) {
    if (text === '(' || text === '[' || text === '{') open += 1;
    else if (text === ')' || text === ']' || text === '}') open -= 1;
    else if (text === '?') conditionals += 1;
    if (open > MAX_BRACKET_DEPTH) {
      throw new CompileFault(
        `more than ${MAX_BRACKET_DEPTH} brackets are open here: split the expression`,
        offset,
      );
    }
    if (conditionals > MAX_SYNTAX_DEPTH) {
      throw new CompileFault(`more than ${MAX_SYNTAX_DEPTH} conditionals: split the expression`, offset);
    }
  }
}

/** What the parser throws when the text is wrong; its classes are not exported. */
interface SyntaxFault {
  readonly rawMessage: string;
  readonly location: { readonly start: { readonly offset: number } };
}

function asFault(error: unknown, source: string): CompileFault {
  if (error instanceof RangeError) {
    return new CompileFault('the expression is nested too deeply: split it', 0);
  }
  if (!isSyntaxFault(error)) return new CompileFault(messageOf(error), 0);
  const { offset } = error.location.start;
  if (error.rawMessage.startsWith('reserved')) {
    const word = /^\w+/.exec(source.slice(offset))?.[0] ?? '';
    return new CompileFault(
      `"${word}" is a reserved word: use the form with brackets, as in state["${word}"]`,
      offset,
      source[offset - 1] !== '.',
    );
  }
  if (offset >= source.trimEnd().length)
    return new CompileFault('the expression ends too early', offset, true);
  return new CompileFault(
    `${found(source, offset)} cannot stand here, or what follows it is incomplete`,
    offset,
    true,
  );
}

function isSyntaxFault(error: unknown): error is SyntaxFault {
  return error instanceof Error && 'rawMessage' in error && 'location' in error;
}

function found(source: string, offset: number): string {
  const [token = ''] = /^(?:\w+|[=!<>&|]+|[^])/u.exec(source.slice(offset)) ?? [];
  return JSON.stringify(token.slice(0, 40));
}

import type { YAMLError } from 'yaml';
import { type Fault, MAX_FAULTS } from '../../../../errors/document-errors.js';
import type { SourceText } from '../positions/source-text.js';
import { TOO_DEEP } from './yaml-depth.js';

/**
 * What the parser of YAML found, in words that say what to write instead: at most one fault a line, and none of the
 * follow-up errors of a parser that has lost its position.
 */
export function syntaxFaults(source: SourceText, errors: readonly YAMLError[]): readonly Fault[] {
  const faults: Fault[] = [];
  const reportedLines = new Set<number>();
  for (const error of errors) {
    const found = complaint(source.text, error);
    // A parser that has lost its position calls everything unexpected, above all the brackets that close something.
    const isLost = found === null || /[}\]]/.test(source.text.charAt(error.pos[0]));
    if (isLost && error.code === 'UNEXPECTED_TOKEN' && faults.length > 0) continue;
    const foundAt = source.positionAt(error.pos[0]);
    const position = found === null ? foundAt : source.positionAt(found.offset);
    if (reportedLines.has(position.line) || reportedLines.has(foundAt.line)) continue;
    reportedLines.add(position.line).add(foundAt.line);
    const message = found?.message ?? `not readable as YAML: ${oneLine(error.message)}`;
    faults.push({ path: '', ...position, message });
    if (faults.length === MAX_FAULTS) break;
  }
  return faults;
}

interface Complaint {
  readonly offset: number;
  readonly message: string;
}

/** Null where the library's own words are the best. */
function complaint(text: string, error: YAMLError): Complaint | null {
  const [offset] = error.pos;
  const braces = bracesAt(text, offset);
  if (braces !== null) return braces;
  const message = MESSAGES[error.code] ?? messageFor(text, offset, error);
  return message === null ? null : { offset: offsetOf(text, offset, message), message };
}

/** The offset of what is wrongly indented; the parser points to the line, or to what stands above it. */
function offsetOf(text: string, offset: number, message: string): number {
  if (!message.endsWith(SAME_COLUMN)) return offset;
  const line = message.startsWith(TOO_FAR) ? Math.min(endOfLine(text, offset) + 1, text.length) : offset;
  return line + (/^ */.exec(text.slice(line, line + 200))?.[0].length ?? 0);
}

const EXPRESSION_IN_QUOTES =
  'an expression in a text is written `"${{ … }}"`, in quotes (`if`, `until`, `items` and `cases` take theirs without `${{ }}`)';

/** Braces that were meant as an expression; YAML reads them as maps within maps. */
function bracesAt(text: string, offset: number): Complaint | null {
  for (const start of [offset, offset - 1, offset - 2]) {
    if (text.startsWith('${{', start)) {
      return {
        offset: start,
        message:
          'YAML reads the braces and colons in this as its own: put the text with its `${{ }}` in quotes',
      };
    }
  }
  for (const start of [offset, offset - 1]) {
    if (text.startsWith('{{', start) && text.charAt(start - 1) !== '$') {
      return { offset: start, message: `YAML reads \`{{ }}\` as maps: ${EXPRESSION_IN_QUOTES}` };
    }
  }
  return null;
}

/** Codes whose message is the same wherever they stand. */
const MESSAGES: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  TAG_RESOLVE_FAILED: 'this tag (`!…`) is not part of the language: remove it',
  NON_STRING_KEY: 'the name of a field must be plain text',
  TAB_AS_INDENT: 'a tab cannot indent YAML: use spaces',
  RESOURCE_EXHAUSTION: TOO_DEEP,
};

const TOO_FAR = 'this is indented further than it may be';
const SAME_COLUMN = 'fields of one map, and entries of one list, begin at the same column';

function messageFor(text: string, offset: number, { code, message }: YAMLError): string | null {
  const rest = text.slice(offset, endOfLine(text, offset));
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'BLOCK_IN_FLOW':
      if (/:(?:\s|$)/.test(rest))
        return 'this text holds `: `, which YAML reads as a field of its own: put the text in quotes';
      return code === 'BLOCK_IN_FLOW' ? null : `${TOO_FAR}: ${SAME_COLUMN}`;
    case 'BAD_INDENT':
      return message.includes('must be sufficiently indented')
        ? UNCLOSED_BRACKET
        : `this does not begin where its neighbours do: ${SAME_COLUMN}`;
    case 'MULTILINE_IMPLICIT_KEY':
      return noField(rest);
    case 'MISSING_CHAR':
      if (message.startsWith('Missing closing'))
        return 'a text in quotes begins before this and never ends: close its quotes';
      if (message.startsWith('Implicit map keys')) return noField(rest);
      return message.includes('end with') ? UNCLOSED_BRACKET : null;
    case 'BAD_SCALAR_START':
      return `a text without quotes cannot begin with ${rest.charAt(0) === '`' ? 'a backtick' : `\`${rest.charAt(0)}\``}: put it in quotes`;
    case 'BAD_DQ_ESCAPE':
      return `\`${rest.slice(0, 2)}\` is no escape in double quotes: write \`\\${rest.slice(0, 2)}\`, or put the text in single quotes`;
    case 'UNEXPECTED_TOKEN':
      if (/^[}\]]/.test(rest))
        return `nothing is open that this \`${rest.charAt(0)}\` could close: remove it`;
      return /["']/.test(text.charAt(offset - 1))
        ? 'the text in quotes ends before this: put it in the other kind of quotes (`"` or `\'`) if it holds some itself'
        : null;
    default:
      return null;
  }
}

const UNCLOSED_BRACKET =
  'a `{` or `[` before this is never closed: close it with `}` or `]`, or indent what follows further';

function noField(rest: string): string {
  const name = /^([^\s:]+):\S/.exec(rest)?.[1]?.slice(0, 60);
  return name === undefined
    ? 'this line is no field: write `name: value`, or put a text of several lines in quotes'
    : `a field needs a space behind its colon: write \`${name}: …\``;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}

function oneLine(text: string): string {
  return text.slice(0, 200).replaceAll(/\s+/g, ' ').trim();
}

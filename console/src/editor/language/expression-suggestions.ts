import { FIELDS, FUNCTIONS, METHODS, VARIABLES } from './expression-names.js';
import type { KnownNames } from '../../documents/known-names.js';
import type { Suggestion, Suggestions } from './suggestion.js';

/** The names that have a dot before the word: `outputs.` of `outputs.pay`. */
const DOTTED = /(?:([A-Za-z_]\w*)|[)\]"'])\.(\w*)$/;
const WORD = /[A-Za-z_]\w*$/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** What could go on in an expression that is written so far. */
export function expressionSuggestions(written: string, position: number, names: KnownNames): Suggestions {
  if (isInText(written)) return { from: position, options: [] };
  const dotted = DOTTED.exec(written);
  if (dotted !== null) {
    const [, owner = '', word = ''] = dotted;
    const members = membersOf(owner, names).map((name) => option(name, '', 'name'));
    return {
      from: position - word.length,
      options: members.length > 0 ? members : described(METHODS, 'function'),
    };
  }
  const [word = ''] = WORD.exec(written) ?? [];
  return {
    from: position - word.length,
    options: [...described(VARIABLES, 'name'), ...described(FUNCTIONS, 'function')],
  };
}

/** Names that are no identifiers are written in brackets, and not offered behind a dot. */
function membersOf(owner: string, { vars, unitIds, inputKeys }: KnownNames): readonly string[] {
  const members = {
    vars,
    outputs: unitIds,
    input: inputKeys,
    state: inputKeys,
    errors: unitIds,
    ...FIELDS,
  } as Readonly<Record<string, readonly string[]>>;
  return (Object.hasOwn(members, owner) ? (members[owner] ?? []) : []).filter((name) =>
    IDENTIFIER.test(name),
  );
}

function described(words: Readonly<Record<string, string>>, kind: Suggestion['kind']): readonly Suggestion[] {
  return Object.entries(words).map(([name, detail]) => option(name, detail, kind));
}

function option(name: string, detail: string, kind: Suggestion['kind']): Suggestion {
  return { label: name, kind, detail, info: '', insert: kind === 'function' ? `${name}(` : name };
}

/** Whether a quote is open at the end. */
function isInText(written: string): boolean {
  let quote = '';
  for (const character of written) {
    if (quote === '' ? character === '"' || character === "'" : character === quote)
      quote = quote === '' ? character : '';
  }
  return quote !== '';
}

import {
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { Suggestion } from '../language/suggestion.js';
import { suggestionsAt } from '../language/suggestions.js';
import { placeAt, type YamlPlace } from '../language/yaml-place.js';
import type { EditorKnowledge } from './editor-knowledge.js';

const INDENT = 2;
/** A word of a name, a key or a function goes on with these, without asking anew. */
const GOES_ON = /^[\w./$-]*$/;

/** Offers what the schema and the names say can stand where somebody writes. */
export function completionsOf(knowledge: EditorKnowledge) {
  return (context: CompletionContext): CompletionResult | null => {
    const schema = knowledge.schema();
    if (schema === null) return null;
    const { state, pos, explicit } = context;
    const place = placeAt(state.doc.toString(), pos);
    const { from, options } = suggestionsAt(place, pos, {
      root: schema,
      names: knowledge.names(),
      textFrom: (start) => state.sliceDoc(start, pos),
    });
    // An empty line wants nothing before somebody writes, but what may stand behind a key is always of use.
    const isIdle = from === pos && place.at !== 'value' && place.expression === null;
    if (options.length === 0 || (isIdle && !explicit)) return null;
    return {
      from,
      options: options.map((option, index) => completionOf(option, place, options.length - index)),
      validFor: GOES_ON,
    };
  };
}

function completionOf(suggestion: Suggestion, place: YamlPlace, rank: number): Completion {
  const { label, detail, info, kind, opens } = suggestion;
  return {
    label,
    type: kind,
    boost: Math.max(-99, rank - 100),
    ...(detail === '' ? {} : { detail }),
    ...(info === '' ? {} : { info }),
    apply: (view, _completion, from, to) => {
      write(view, textOf(suggestion, place, columnOf(view, from)), from, to);
      if (opens === 'value' || kind === 'function') startCompletion(view);
    },
  };
}

/** With what a key needs behind it: a space, or the beginning of what is below it. */
function textOf({ insert, opens }: Suggestion, { isFlow }: YamlPlace, column: number): string {
  if (opens === undefined) return insert;
  if (isFlow || opens === 'value') return `${insert}: `;
  const below = `\n${' '.repeat(column + INDENT)}`;
  return `${insert}:${below}${opens === 'list' ? '- ' : ''}`;
}

function write(view: EditorView, text: string, from: number, to: number): void {
  // What is there already of a key that is written anew stays once.
  const hasColon = text.endsWith(': ') && view.state.sliceDoc(to, to + 1) === ':';
  const insert = hasColon ? text.slice(0, -2) : text;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

function columnOf({ state }: EditorView, position: number): number {
  return position - state.doc.lineAt(position).from;
}

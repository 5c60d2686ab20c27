import { acceptCompletion, autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { search, searchKeymap } from '@codemirror/search';
import { Prec, type Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { descriptionAt } from '../language/suggestions.js';
import { placeAt } from '../language/yaml-place.js';
import type { Cursor } from './code-view.js';
import { completionsOf } from './completion-source.js';
import { descriptionHover } from './description-hover.js';
import type { EditorKnowledge } from './editor-knowledge.js';

/** What helps to write, and is not needed to begin: it is loaded behind the editor. */
export interface WritingHelp {
  readonly extension: Extension;
  /** What the schema says of the key of the line in which the cursor is. */
  describe(text: string, cursor: Cursor): { readonly key: string; readonly text: string } | null;
}

export function writingHelp(knowledge: EditorKnowledge): WritingHelp {
  const completions = autocompletion({
    override: [completionsOf(knowledge)],
    icons: false,
    activateOnTypingDelay: 60,
    defaultKeymap: false,
  });
  return {
    extension: [
      completions,
      // Tab takes what is offered, and indents where nothing is.
      Prec.highest(keymap.of([...completionKeymap, { key: 'Tab', run: acceptCompletion }])),
      keymap.of(searchKeymap),
      search({ top: true }),
      descriptionHover(knowledge),
    ],
    describe: (text, { position, lineEnd }) => {
      const schema = knowledge.schema();
      if (schema === null) return null;
      const here = placeAt(text, position);
      const place = here.at === 'key' && !here.isFlow ? placeAt(text, lineEnd) : here;
      return descriptionAt(place, schema);
    },
  };
}

import { hoverTooltip } from '@codemirror/view';
import { descriptionAt } from '../language/suggestions.js';
import { placeAt } from '../language/yaml-place.js';
import type { EditorKnowledge } from './editor-knowledge.js';

const KEY = /[\w$-]+(?=["']?\s*:)/g;

/** Says of a key under the pointer what the schema says. Whoever has no pointer reads the same below the text. */
export function descriptionHover(knowledge: EditorKnowledge) {
  return hoverTooltip(({ state }, position) => {
    const schema = knowledge.schema();
    const line = state.doc.lineAt(position);
    if (schema === null || line.length > 2_000) return null;
    const found = [...line.text.matchAll(KEY)].find(({ index, 0: key }) => {
      const at = position - line.from;
      return index <= at && at <= index + key.length;
    });
    if (found === undefined) return null;
    const start = line.from + found.index;
    const colon = line.text.indexOf(':', found.index) + 1;
    const described = descriptionAt(placeAt(state.doc.toString(), line.from + colon), schema);
    if (described === null || described.key !== found[0]) return null;
    return {
      pos: start,
      end: start + found[0].length,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'cm-description';
        dom.textContent = described.text;
        return { dom };
      },
    };
  });
}

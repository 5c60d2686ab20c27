import {
  Decoration,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from '@codemirror/view';

/** Colours `${{ … }}` and the names of secrets, of what is in view alone. */
const matcher = new MatchDecorator({
  regexp: /\$\{\{.{0,1000}?\}\}|\$\{secret:[^}\n]{0,256}\}/g,
  decoration: Decoration.mark({ class: 'cm-expression' }),
});

class ExpressionMarks {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = matcher.createDeco(view);
  }

  update(update: ViewUpdate): void {
    this.decorations = matcher.updateDeco(update, this.decorations);
  }
}

export const expressionMarks = ViewPlugin.fromClass(ExpressionMarks, {
  decorations: ({ decorations }) => decorations,
});

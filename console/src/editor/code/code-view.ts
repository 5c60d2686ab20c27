import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, nextDiagnostic, previousDiagnostic } from '@codemirror/lint';
import { EditorState, Prec, StateEffect, type Extension } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Mark } from '../checking/fold-faults.js';
import { codeTheme } from './code-theme.js';
import { expressionMarks } from './expression-marks.js';
import { typingOverSelection } from './typing-over-selection.js';
import { mend, placeOf, repairOf, showMarks } from './fault-marks.js';

/** What the editor tells, and what its keys ask for. */
interface CodeEvents {
  onChange(): void;
  /** The cursor is somewhere else. */
  onMove(): void;
  onRegister(): void;
  onStart(): void;
  /** Writes the near name of the fault that is nearest to the cursor. */
  onMend(): void;
}

export interface Cursor {
  readonly position: number;
  /** Counts from 1. */
  readonly line: number;
  /** Where its line ends. */
  readonly lineEnd: number;
}

interface Settings extends CodeEvents {
  readonly text: string;
}

/** Read by whoever hears the field instead of seeing it. */
const HOW_TO_LEAVE = 'Tab indents. To leave by Tab, press Escape before it.';

/** The text of a document, to be written. It lives in a shadow root, whose styles the policy of the console allows. */
export class CodeView {
  readonly #view: EditorView;

  constructor(root: ShadowRoot, settings: Settings) {
    const state = EditorState.create({ doc: settings.text, extensions: extensionsOf(settings) });
    this.#view = new EditorView({ state, root, parent: root });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Its length, without making a text of it. */
  get length(): number {
    return this.#view.state.doc.length;
  }

  get cursor(): Cursor {
    const { head } = this.#view.state.selection.main;
    const { number, to } = this.#view.state.doc.lineAt(head);
    return { position: head, line: number, lineEnd: to };
  }

  /** Adds what helps to write, once it is loaded. */
  add(help: Extension): void {
    this.#view.dispatch({ effects: StateEffect.appendConfig.of(help) });
  }

  /** Puts another text in its place, which can be undone. */
  replace(text: string): void {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({ changes: { from: 0, to: length, insert: text }, selection: { anchor: 0 } });
  }

  show(marks: readonly Mark[]): void {
    showMarks(this.#view, marks);
  }

  /** Whether the mark says what could be written instead, and what that is. */
  suggestionOf(mark: Mark): string | null {
    return repairOf(this.#view.state, mark)?.insert ?? null;
  }

  mend(mark: Mark): boolean {
    return mend(this.#view, mark);
  }

  /** Selects what is marked there, and goes to it. */
  goTo(place: Pick<Mark, 'line' | 'column'>): void {
    const at = placeOf(this.#view.state, place);
    if (at !== null)
      this.#view.dispatch({
        selection: { anchor: at.from, head: at.to },
        effects: EditorView.scrollIntoView(at.from, { y: 'center' }),
      });
    this.#view.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }
}

function extensionsOf(events: CodeEvents): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    // Characters that cannot be seen, or that turn a text around, show as marks.
    highlightSpecialChars({ addSpecialChars: /[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g }),
    history(),
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    yaml(),
    expressionMarks,
    codeTheme,
    typingOverSelection,
    keys(events),
    EditorView.contentAttributes.of({
      tabindex: '0',
      'aria-label': 'Document, as YAML',
      'aria-description': HOW_TO_LEAVE,
      spellcheck: 'false',
      autocapitalize: 'off',
    }),
    EditorView.updateListener.of(({ docChanged, selectionSet }) => {
      if (docChanged) events.onChange();
      if (docChanged || selectionSet) events.onMove();
    }),
  ];
}

/** The keys of the console come before those of the editor. */
function keys({ onRegister, onStart, onMend }: Omit<CodeEvents, 'onChange' | 'onMove'>): Extension {
  const doing = (act: () => void) => () => (act(), true);
  return [
    Prec.highest(
      keymap.of([
        { key: 'Mod-s', run: doing(onRegister), preventDefault: true },
        { key: 'Mod-Enter', run: doing(onStart), preventDefault: true },
        { key: 'Mod-.', run: doing(onMend), preventDefault: true },
        { key: 'F8', run: nextDiagnostic, shift: previousDiagnostic },
      ]),
    ),
    keymap.of([
      ...historyKeymap,
      // Ctrl K finds things in the whole console.
      ...defaultKeymap.filter(({ mac }) => mac !== 'Ctrl-k'),
      indentWithTab,
    ]),
  ];
}

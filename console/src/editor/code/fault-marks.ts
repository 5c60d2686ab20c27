import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Mark } from '../checking/fold-faults.js';
import { markRange } from '../checking/mark-range.js';
import { correctionOf } from '../checking/near-name.js';

/** A change that mends a fault. */
interface Repair {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Underlines what stands against the text; each has the near name as an action. */
export function showMarks(view: EditorView, marks: readonly Mark[]): void {
  const { state } = view;
  const diagnostics = marks.flatMap((mark): readonly Diagnostic[] => {
    const at = placeOf(state, mark);
    if (at === null) return [];
    const repair = repairOf(state, mark);
    return [
      {
        ...at,
        severity: mark.kind === 'fault' ? 'error' : 'warning',
        message: mark.message,
        actions: repair === null ? [] : [{ name: `Write ${repair.insert}`, apply: () => mend(view, mark) }],
      },
    ];
  });
  view.dispatch(setDiagnostics(state, diagnostics));
}

/** What the mark suggests, where the text is now what it was of. */
export function repairOf(state: EditorState, { line, column, message }: Mark): Repair | null {
  if (line === null || line > state.doc.lines) return null;
  const { from, text } = state.doc.line(line);
  const correction = correctionOf(message, text, column ?? 1);
  if (correction === null) return null;
  return { from: from + correction.from, to: from + correction.to, insert: correction.insert };
}

/** Writes what the mark suggests. False: it suggests nothing. */
export function mend(view: EditorView, mark: Mark): boolean {
  const repair = repairOf(view.state, mark);
  if (repair === null) return false;
  const { from, to, insert } = repair;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.mend',
    scrollIntoView: true,
  });
  return true;
}

/** Where in the text; null: the mark is of no line. */
export function placeOf(
  { doc }: EditorState,
  { line, column }: Pick<Mark, 'line' | 'column'>,
): { readonly from: number; readonly to: number } | null {
  if (line === null) return null;
  const { from: start, text } = doc.line(Math.min(Math.max(1, line), doc.lines));
  const { from, to } = markRange(text, column);
  return { from: start + from, to: start + to };
}

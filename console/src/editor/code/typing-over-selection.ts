import { EditorView } from '@codemirror/view';

/**
 * Has a character that is typed over a selection written by the editor. Left to Chromium, what is typed gets the colour of what it
 * replaces as an inline style, which the policy of the console refuses, with an error in the log of the browser.
 */
export const typingOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data, isComposing } = event;
    const { state } = view;
    const isOver = state.selection.ranges.some(({ empty }) => !empty);
    if (inputType !== 'insertText' || data === null || isComposing || !isOver || state.readOnly) return false;
    event.preventDefault();
    view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

import { Dialog } from '../ui/dialog.js';
import { helpIsOpen } from './overlays.js';
import { singleKeysAreOn, switchSingleKeys } from './single-keys.js';

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'find, and go to anything'],
  ['/', 'the same'],
  ['j', 'to the next row or card'],
  ['k', 'to the one before'],
  ['?', 'this list'],
  ['Esc', 'close what is open'],
];

/** They work while somebody writes, so all have a modifier. */
const IN_THE_EDITOR: readonly (readonly [string, string])[] = [
  ['Ctrl S', 'register'],
  ['Ctrl Enter', 'start: registers what has changed, and asks for the input'],
  ['Ctrl .', 'write the near name of the nearest fault'],
  ['F8', 'to the next fault; with Shift, to the one before'],
  ['Ctrl Space', 'what can stand here'],
  ['Ctrl F', 'find in the text'],
  ['Esc Tab', 'leave the text; Tab alone indents'],
];

export function KeysHelp() {
  return (
    <Dialog title="Keys" onClose={() => (helpIsOpen.value = false)}>
      <KeyList keys={KEYS} />
      <h3>In the editor</h3>
      <KeyList keys={IN_THE_EDITOR} />
      <label class="row">
        <input
          type="checkbox"
          checked={singleKeysAreOn.value}
          onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
        />
        <span>Single keys (/ j k ?) do something</span>
      </label>
    </Dialog>
  );
}

function KeyList({ keys }: { readonly keys: typeof KEYS }) {
  return (
    <dl class="facts">
      {keys.map(([key, what]) => (
        <>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </>
      ))}
    </dl>
  );
}

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

export function KeysHelp() {
  return (
    <Dialog title="Keys" onClose={() => (helpIsOpen.value = false)}>
      <dl class="facts">
        {KEYS.map(([key, what]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
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

// Returns for each message how many came before those that it was handled with. At a `SharedArrayBuffer` it says that it is
// there, and waits.
import { serveTogether } from '../../../.tmp/sqlite-worker/storage/sqlite/threads/serve.js';

let handled = 0;

serveTogether({
  handle: (messages) => {
    for (const message of messages) {
      if (message === 'fail') throw new Error('as you wish');
      if (message instanceof SharedArrayBuffer) waitAt(new Int32Array(message));
    }
    const before = handled;
    handled += messages.length;
    return messages.map(() => before);
  },
  afterwards: () => {},
  close: () => {},
});

function waitAt(gate) {
  Atomics.store(gate, 1, 1);
  Atomics.wait(gate, 0, 0);
}

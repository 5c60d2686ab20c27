import type { NodeBehaviour } from '../turn/behaviour.js';
import { fail } from '../turn/behaviour.js';
import { settingsOf, textSetting } from './settings.js';

/** `builtin.fail`: fails the run (or what is around it) with the author's message. */
export const failNode: NodeBehaviour = {
  execute: (thread, node, unit) =>
    fail(
      textSetting('message', settingsOf(thread, node, unit)['message']) ?? `Unit ${unit.id} failed`,
      node.path,
      { code: 'fail', unitId: unit.id, attempts: 0 },
    ),
};

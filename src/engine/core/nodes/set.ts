import type { NodeBehaviour } from '../turn/behaviour.js';
import { READ } from '../turn/behaviour.js';
import type { JsonObject } from '../json.js';
import { settingsOf } from './settings.js';

/** `builtin.set`: writes state keys, and has no output. */
export const setNode: NodeBehaviour = {
  execute: (thread, node, unit) => {
    const { turn, scope } = thread;
    const values = (settingsOf(thread, node, unit)['values'] ?? {}) as JsonObject;
    turn.emit({ type: 'state-written', path: node.path, scope, unitId: unit.id, values });
    return READ;
  },
};

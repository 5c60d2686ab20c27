import type { NodeBehaviour } from '../behaviour.js';
import { READ } from '../behaviour.js';
import type { JsonObject } from '../json.js';
import { settingsOf } from './settings.js';

/** `builtin.set`: writes state keys, and has no output. */
export const setNode: NodeBehaviour = {
  execute: (thread, node, unit) => {
    const { turn, scope } = thread;
    const patch = (settingsOf(thread, node, unit)['values'] ?? {}) as JsonObject;
    const { path } = node;
    turn.emit({ type: 'unit-scheduled', path, scope, unitId: unit.id, input: null, settings: null, key: null, timeoutMs: unit.timeoutMs });
    const executionId = turn.state.seq;
    turn.emit({ type: 'unit-finished', executionId, unitId: unit.id, attempt: 1, patch, usage: null, metadata: null });
    return READ;
  },
};

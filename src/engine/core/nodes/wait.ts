import { ExpressionError } from '../../../errors/document-errors.js';
import type { NodeBehaviour } from '../turn/behaviour.js';
import { READ } from '../turn/behaviour.js';
import type { JsonObject } from '../json.js';
import { readWait, WAIT_SETTINGS, type WaitLength } from '../plan/wait-settings.js';
import { settingsOf } from './settings.js';

/** `builtin.wait`: the thread continues when the time has come. An instant in the past is due at once. */
export const wait: NodeBehaviour = {
  execute: (thread, node, unit) => {
    const length = lengthOf(settingsOf(thread, node, unit));
    const { turn, scope } = thread;
    const dueAt = 'until' in length ? length.until : turn.at + length.forMs;
    turn.emit({ type: 'timer-set', path: node.path, scope, unitId: unit.id, dueAt });
    return READ;
  },
};

function lengthOf(settings: JsonObject): WaitLength {
  const name = WAIT_SETTINGS.find((one) => settings[one] !== undefined);
  if (name === undefined) throw new ExpressionError(`it needs one of ${WAIT_SETTINGS.join(', ')}.`);
  const read = readWait(name, settings[name] ?? null);
  if (!read.ok) throw new ExpressionError(`${read.reason}.`);
  return read.length;
}

import { ExpressionError } from '../../../errors/document-errors.js';
import type { NodeBehaviour } from '../turn/behaviour.js';
import { READ } from '../turn/behaviour.js';
import type { JsonValue } from '../json.js';
import { ON_TIMEOUT, type OnTimeout } from '../../vocabulary.js';
import { readGateTimeout } from '../plan/gate-timeout.js';
import { settingsOf, textSetting } from './settings.js';

/** `builtin.approval`: the thread waits at the gate until somebody decides, or its time is over. */
export const approval: NodeBehaviour = {
  execute: (thread, node, unit) => {
    const { title, description, payload, onReject, timeout, onTimeout } = settingsOf(thread, node, unit);
    const { turn, scope } = thread;
    turn.emit({
      type: 'gate-opened',
      path: node.path,
      scope,
      unitId: unit.id,
      title: textSetting('title', title) ?? unit.id,
      description: textSetting('description', description),
      payload: payload ?? null,
      onReject: onReject === 'continue' ? 'continue' : 'fail',
      ...(timeout === undefined || timeout === null
        ? {}
        : { timeoutMs: lengthOf(timeout), onTimeout: onTimeoutOf(onTimeout) }),
    });
    return READ;
  },
};

function lengthOf(timeout: JsonValue): number {
  const read = readGateTimeout(timeout);
  if (!read.ok) throw new ExpressionError(`its timeout: ${read.reason}.`);
  return read.ms;
}

function onTimeoutOf(value: JsonValue | undefined): OnTimeout {
  const known = ON_TIMEOUT.find((one) => one === (value ?? 'reject'));
  if (known === undefined) throw new ExpressionError(`its onTimeout must be ${ON_TIMEOUT.join(', ')}.`);
  return known;
}

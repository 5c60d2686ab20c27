import type { NodeBehaviour } from '../turn/behaviour.js';
import { READ } from '../turn/behaviour.js';
import { settingsOf, textSetting } from './settings.js';

/** `builtin.approval`: the thread waits at the gate until somebody decides. */
export const approval: NodeBehaviour = {
  execute: (thread, node, unit) => {
    const { title, description, payload, onReject } = settingsOf(thread, node, unit);
    thread.turn.emit({
      type: 'gate-opened',
      path: node.path,
      scope: thread.scope,
      unitId: unit.id,
      title: textSetting('title', title) ?? unit.id,
      description: textSetting('description', description),
      payload: payload ?? null,
      onReject: onReject === 'continue' ? 'continue' : 'fail',
    });
    return READ;
  },
};

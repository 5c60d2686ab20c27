import type { RunItem } from 'flowgate-client/remote';
import type { State } from './states.js';

/** What is shown of a run: its status, and, while it has not ended, what it waits for. */
export function stateOfRun({
  status,
  cancelled,
  waitingFor,
}: Pick<RunItem, 'status' | 'cancelled' | 'waitingFor'>): State {
  switch (status) {
    case 'completed':
      return 'completed';
    case 'failed':
      return cancelled ? 'cancelled' : 'failed';
    case 'pending':
      return 'pending';
    case 'paused':
      return waitingFor === 'gate' ? 'gate' : 'paused';
    case 'running':
      return waitingFor === 'time' || waitingFor === 'child' ? 'waiting' : 'running';
  }
}

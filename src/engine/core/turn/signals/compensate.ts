import type { Signal } from '../../signal.js';
import { hasFailedCompensations } from '../../state/debts/compensation-summary.js';
import { ROOT_SCOPE } from '../../state/scope.js';
import { isOver } from '../../state/status.js';
import type { NewEvent } from '../../log/event.js';
import type { RunState } from '../../state/state.js';
import type { Turn } from '../turn.js';

/** Tries again what could not be undone, of a run that is over. */
export function compensate(turn: Turn, { by }: Signal & { readonly type: 'compensate' }): void {
  if (!isOver(turn.state) || !hasFailedCompensations(turn.state)) return;
  turn.emit({ type: 'compensation-requested', by });
  turn.ready.add(ROOT_SCOPE);
}

/** How the run ends again, once all was tried: as it had ended. */
export function endBefore({ again, output, isUnwound, cancelledBy }: RunState): NewEvent | null {
  switch (again?.phase) {
    case undefined:
      return null;
    case 'completed':
      return { type: 'run-completed', ...(output === undefined ? {} : { output }) };
    case 'failed':
      return {
        type: 'run-failed',
        error: again.error ?? '',
        ...(isUnwound === true ? { unwound: true } : {}),
      };
    case 'cancelled':
      if (cancelledBy === undefined)
        throw new Error('Nobody is known to have cancelled the run: its log is corrupt.');
      return { type: 'run-cancelled', by: cancelledBy };
  }
}

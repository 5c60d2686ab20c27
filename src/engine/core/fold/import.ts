import { UNFINISHED_WHEN_IMPORTED } from '../log/failure.js';
import type { Draft } from '../state/state.js';
import { closeWaits } from './cancelling.js';

/**
 * Ends the part of the log that was written elsewhere. A run that was over stays as it was; one that was live is cancelled,
 * and waits for nothing. Its clock stopped with the last event: the time between that and the import is not counted.
 */
export function finishImport(draft: Draft): void {
  draft.isImported = true;
  if (draft.activeSince !== null) {
    draft.activeMs += Math.max(0, draft.eventAt - draft.activeSince);
    draft.activeSince = null;
  }
  if (draft.phase !== 'live') return;
  draft.phase = 'cancelled';
  draft.error = UNFINISHED_WHEN_IMPORTED;
  draft.cancelling = null;
  closeWaits(draft, () => true);
}

import { STOOD_WHEN_IMPORTED } from '../log/failure.js';
import type { Draft } from '../state/state.js';
import { closeWaits } from './cancelling.js';

/**
 * The log ends here with what was written elsewhere. What was over stays as it was; what was live is cancelled, and waits
 * for nothing. Its clock stopped with the last event: what lies between that and the import nobody spent on it.
 */
export function standStill(draft: Draft): void {
  draft.isImported = true;
  if (draft.activeSince !== null) {
    draft.activeMs += Math.max(0, draft.eventAt - draft.activeSince);
    draft.activeSince = null;
  }
  if (draft.phase !== 'live') return;
  draft.phase = 'cancelled';
  draft.error = STOOD_WHEN_IMPORTED;
  draft.cancelling = null;
  closeWaits(draft, () => true);
}

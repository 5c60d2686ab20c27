import { byId } from '../state/wait.js';
import type { Draft } from '../state/state.js';
import { closeWait } from '../waits/state-indexes.js';
import { kindOf } from '../waits/kinds.js';
import { moveCursor } from './scopes.js';

/** The run failed: what continues outside for it ends too, and its threads stand in front of it, for a resume. */
export function closeWhatEndsWithRun(draft: Draft): void {
  for (const wait of byId(draft.waits.values())) {
    const kind = kindOf(wait);
    if (kind.endsWithRun !== true) continue;
    const parkedAt = kind.parked(wait);
    closeWait(draft, wait);
    if (parkedAt !== null) moveCursor(draft, wait.scope, parkedAt);
  }
}

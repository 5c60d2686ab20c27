import type { Actor } from '../log/actor.js';
import type { Draft } from '../state/state.js';

/**
 * A run that was over continues. A child whose parent was notified of its end is detached from the parent then, unless the
 * engine continues it, which it does for a parent that is tried again.
 */
export function continueDetached(draft: Draft, by: Actor): void {
  draft.isOnItsOwn = draft.parent !== null && by.via !== 'engine';
}

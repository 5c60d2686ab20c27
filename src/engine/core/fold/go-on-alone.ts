import type { Actor } from '../log/actor.js';
import type { Draft } from '../state/state.js';

/**
 * A run that was over goes on: a child whose parent was told of its end then goes on without it, unless the engine did
 * it, which does it for the parent that is tried again.
 */
export function goOnAlone(draft: Draft, by: Actor): void {
  draft.isOnItsOwn = draft.parent !== null && by.via !== 'engine';
}

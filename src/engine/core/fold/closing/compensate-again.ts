import type { CompensationRequested } from '../../log/event.js';
import { ROOT_SCOPE } from '../../state/scope.js';
import type { Draft } from '../../state/state.js';
import { continueDetached } from '../continue-detached.js';
import { retryFailedCompensations } from './debts.js';
import { scopeOf } from '../scopes.js';

/**
 * A run that is over goes on, to try again what could not be undone. Nothing else of it moves or closes: its root thread makes
 * the calls, and stands where it stood when the run ends again.
 */
export function beginAgain(draft: Draft, { by }: CompensationRequested): void {
  const { phase, error } = draft;
  if (phase !== 'completed' && phase !== 'failed' && phase !== 'cancelled') return;
  const root = scopeOf(draft, ROOT_SCOPE);
  const { cursor, closing } = root;
  draft.again = { phase, error, cursor, closing };
  draft.phase = 'live';
  draft.error = null;
  retryFailedCompensations(draft);
  draft.scopes = draft.scopes.set(ROOT_SCOPE, {
    ...root,
    cursor: { phase: 'unwound', path: cursor.path },
    closing: { path: '', reason: 'again', error: null, since: 0 },
  });
  continueDetached(draft, by);
}

/** The run ends as it had ended. */
export function endAgain(draft: Draft): void {
  const { again } = draft;
  if (again === undefined) return;
  const { cursor, closing } = again;
  draft.scopes = draft.scopes.set(ROOT_SCOPE, { ...scopeOf(draft, ROOT_SCOPE), cursor, closing });
  delete draft.again;
}

import type { CompensationRequested } from '../../log/event.js';
import { ROOT_SCOPE } from '../../state/scope.js';
import type { Draft } from '../../state/state.js';
import { byId } from '../../state/wait.js';
import { openWait, setWaitsAside } from '../../waits/state-indexes.js';
import { continueDetached } from '../continue-detached.js';
import { retryFailedCompensations } from './debts.js';
import { scopeOf } from '../scopes.js';

/**
 * A run that is over goes on, to try again what could not be undone. Nothing else of it moves or closes: its root thread makes
 * the calls, and stands where it stood when the run ends again. What it still waited for when it failed is set aside meanwhile,
 * for a resume: else its units would be called, its timers fire and its gates be decided.
 */
export function beginAgain(draft: Draft, { by }: CompensationRequested): void {
  const { phase, error, waits } = draft;
  if (phase !== 'completed' && phase !== 'failed' && phase !== 'cancelled') return;
  const root = scopeOf(draft, ROOT_SCOPE);
  const { cursor, closing } = root;
  const aside = waits.size === 0 ? {} : { waits: byId(waits.values()) };
  draft.again = { phase, error, cursor, closing, ...aside };
  setWaitsAside(draft);
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
  takeBackWaits(draft);
  draft.scopes = draft.scopes.set(ROOT_SCOPE, { ...scopeOf(draft, ROOT_SCOPE), cursor, closing });
  delete draft.again;
}

/** What the run had waited for when it failed is among its waits again. */
export function takeBackWaits(draft: Draft): void {
  for (const wait of draft.again?.waits ?? []) openWait(draft, wait);
}

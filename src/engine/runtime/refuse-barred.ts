import { StoreError } from '../../errors/service-errors.js';
import type { RunOwnership } from './run-shell.js';

/** Throws a `StoreError` for a run that a newer release of the service works on: its replicas answer for it. */
export function refuseBarred(ownership: Pick<RunOwnership, 'isBarred'>, runId: string): void {
  if (!ownership.isBarred(runId)) return;
  throw new StoreError(
    'A newer release of the service works on this run, and may have written what this one cannot read: ask again, which another ' +
      'replica answers, and finish the upgrade',
  );
}

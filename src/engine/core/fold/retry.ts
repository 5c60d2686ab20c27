import { type Cursor, admitted, locationOfScope } from '../state/scope.js';
import type { Draft } from '../state/state.js';
import { UNOPENED } from './scopes.js';

/** A failed run is tried again: every thread that failed permanently goes back to where it can continue. */
export function retryFailedThreads(draft: Draft): void {
  let { scopes, forks } = draft;
  draft.scopes.forEach((scope, id) => {
    const { cursor } = scope;
    if (cursor.phase === 'failed') {
      scopes = scopes.set(id, { ...scope, cursor: readmitted(cursor) });
    } else if (cursor.phase === 'closed' && cursor.failedAt !== null) {
      scopes = scopes.set(id, { ...scope, cursor: readmitted(cursor.failedAt) });
      const { fanOut: key } = locationOfScope(id);
      forks = forks.update(key, UNOPENED, ({ decidedBy: _reopened, ...fanOut }) => ({
        ...fanOut,
        closed: fanOut.closed - 1,
        ...(fanOut.failures === undefined ? {} : { failures: fanOut.failures - 1 }),
      }));
    }
  });
  draft.scopes = scopes;
  draft.forks = forks;
}

function readmitted(cursor: Cursor): Cursor {
  return cursor.phase === 'failed' ? admitted(cursor.path, cursor.retry) : cursor;
}

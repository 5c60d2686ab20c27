import type { Location } from '../../log/event-base.js';
import type { OpenTry } from '../../state/scope.js';
import type { Draft } from '../../state/state.js';
import { scopeOf } from '../scopes.js';

/** The thread is inside of a try from now on, before its body. */
export function enterTry(
  draft: Draft,
  { path, scope: id }: Location,
  given: Pick<OpenTry, 'seq' | 'lengthMs'>,
): void {
  const scope = scopeOf(draft, id);
  const tries = scope.tries.set(path, { ...given, stage: 'do', error: null, exit: null });
  draft.scopes = draft.scopes.set(id, { ...scope, tries, cursor: { phase: 'trying', path } });
}

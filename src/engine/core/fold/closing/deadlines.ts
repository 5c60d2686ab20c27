import type { NodePath } from '../../log/event-base.js';
import type { OpenTry, Scope } from '../../state/scope.js';
import type { Draft } from '../../state/state.js';
import type { Wait } from '../../state/wait.js';
import { changeWait, closeWait, openWait } from '../../waits/state-indexes.js';

/** The end of the time that the body of a try has. No thread stands at it, and the run moves and stands as without it. */
export interface Deadline extends Wait {
  readonly kind: 'deadline';
  /** Epoch ms. */
  readonly dueAt: number;
}

export function openDeadline(at: Pick<Deadline, 'id' | 'path' | 'scope' | 'dueAt'>): Deadline {
  return { ...at, kind: 'deadline', unitId: '', heldBy: null, standing: 'deadline', chars: 0 };
}

/** The deadline of a try has no meaning any more. */
export function closeDeadline(draft: Draft, { seq }: OpenTry): void {
  const wait = draft.waits.get(seq);
  if (wait?.kind === 'deadline') closeWait(draft, wait);
}

/** Closes the deadlines of the tries of a scope. */
export function closeDeadlines(draft: Draft, { tries }: Pick<Scope, 'tries'>): void {
  tries.forEach((open) => closeDeadline(draft, open));
}

/** The run was taken up again, where it stood or elsewhere: every try whose body runs has all of its time from now on. */
export function restartDeadlines(draft: Draft, at: number): void {
  draft.scopes.forEach(({ tries, cursor }, scope) => {
    if (cursor.phase === 'closed') return;
    tries.forEach((open, path: NodePath) => {
      const { seq, lengthMs, stage } = open;
      if (lengthMs === null || stage !== 'do') return;
      const wait = draft.waits.get(seq);
      const next = openDeadline({ id: seq, path, scope, dueAt: at + lengthMs });
      if (wait === undefined) openWait(draft, next);
      else changeWait(draft, wait, next);
    });
  });
}

import type { Actor } from '../../log/actor.js';
import type { NewFork } from '../../signal.js';
import type { Turn } from '../turn.js';

/** Makes a run that has just started continue from where another one stood. */
export function beginAsFork(turn: Turn, { source, fromRunId, before, edits }: NewFork, by: Actor): void {
  const location = before === undefined ? {} : { before };
  const fromSeq = source?.seq ?? 0;
  turn.emit({ type: 'run-forked', fromRunId, fromSeq, ...location, edits, by }, source ?? undefined);
  turn.visitAll();
}

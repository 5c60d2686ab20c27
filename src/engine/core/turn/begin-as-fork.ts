import type { Actor } from '../log/actor.js';
import type { NewFork } from '../signal.js';
import type { Turn } from './turn.js';

/** The run, which has just started, goes on from where another one stood. */
export function beginAsFork(turn: Turn, { source, fromRunId, before, edits }: NewFork, by: Actor): void {
  const place = before === undefined ? {} : { before };
  const fromSeq = source?.seq ?? 0;
  turn.emit({ type: 'run-forked', fromRunId, fromSeq, ...place, edits, by }, source ?? undefined);
  turn.visitAll();
}

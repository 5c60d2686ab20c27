import type { CompensationStatus } from '../../../vocabulary.js';
import { brokenOffAt } from '../../fold/closing/debts.js';
import type { RunState } from '../state.js';
import { isOver } from '../status.js';

/** What became of what the run did and other units can undo. */
export interface CompensationSummary {
  /**
   * `running`: it is being undone. `failed`: something could not be. `owed`: something was done, and is undone if the run comes
   * to that. `done`: nothing is left to undo.
   */
  readonly status: CompensationStatus;
  /** How many calls were undone. */
  readonly done: number;
  /** How many could not be, after the last attempt. */
  readonly failed: number;
  /** How many may have been done, and nobody undoes. */
  readonly unknown: number;
}

/**
 * Null: the run did nothing that can be undone, or it completed and undid nothing. Costs the same however much there was; once the
 * run is over, as much as there are calls that were broken off and can be undone.
 */
export function compensationOf(state: RunState): CompensationSummary | null {
  const { debts, debtCounts, phase } = state;
  const unknown = debtCounts.unknown + callsLeftOpen(state);
  if (debts.size === 0 && unknown === 0) return null;
  const { owed, done, failed } = debtCounts;
  const isRunning = isUndoing(state);
  // What a run that completed did is not undone any more.
  const isLeft = owed > 0 && phase !== 'completed';
  if (!isRunning && !isLeft && done + failed + unknown === 0) return null;
  const status = isRunning ? 'running' : failed > 0 ? 'failed' : isLeft ? 'owed' : 'done';
  return { status, done, failed, unknown };
}

/** Whether there is a compensation that failed, and can be tried again. */
export function hasFailedCompensations({ debts }: Pick<RunState, 'debts'>): boolean {
  for (const { status } of debts.values()) if (status === 'failed') return true;
  return false;
}

/** Calls that were broken off because the run ended: they stay open, for a resume, and nobody hears what they did. */
function callsLeftOpen(state: RunState): number {
  // Most runs have none, and this is asked with each of their appends.
  if (state.undoableCalls.size === 0 || !isOver(state)) return 0;
  return [...brokenOffAt(state, state.updatedAt)].length;
}

function isUndoing({ phase, scopes, undoingScopes }: RunState): boolean {
  if (phase !== 'live') return false;
  for (const id of undoingScopes.keys()) if (scopes.get(id)?.closing?.undoing !== undefined) return true;
  return false;
}

import type { SummarisedRun } from './summarised-run.js';

/** What somebody may do next about a run. */
export type NextStep =
  | { readonly do: 'approve'; readonly gateId: number | null }
  | { readonly do: 'resume'; readonly maxTokens: number | null; readonly maxCost: number | null }
  | { readonly do: 'logs' | 'compensate' | 'watch' };

/** The most gates that are named one by one. */
const MAX_GATES = 3;
/** A suggested budget, where little or nothing was used. */
const LEAST_TOKENS = 1_000;
const LEAST_COST = 1;

/** What a run waits for somebody to do, the most likely first. */
export function nextSteps(run: SummarisedRun): readonly NextStep[] {
  if (run.status === 'failed') return afterFailure(run);
  const gates = run.waits.filter((wait) => wait.for === 'gate');
  if (gates.length > 0)
    return gates
      .slice(0, MAX_GATES)
      .map(({ id }) => ({ do: 'approve', gateId: gates.length > 1 ? id : null }));
  if (run.waits.some((wait) => wait.for === 'resume')) return [resuming(run)];
  return run.status === 'completed' ? [] : [{ do: 'watch' }];
}

function afterFailure({ cancelled, compensation }: SummarisedRun): readonly NextStep[] {
  const undo: readonly NextStep[] = compensation?.status === 'failed' ? [{ do: 'compensate' }] : [];
  if (cancelled === true) return undo;
  return [{ do: 'logs' }, { do: 'resume', maxTokens: null, maxCost: null }, ...undo];
}

/** With a budget of twice what was used, where the budget stops it. */
function resuming({ waits, result }: SummarisedRun): NextStep {
  const message = result.messages.findLast(({ type }) => type === 'run-paused');
  const { error = '' } = (message ?? {}) as { readonly error?: string };
  const isBudget = waits.some(({ reason }) => reason === 'budget');
  return {
    do: 'resume',
    maxTokens:
      isBudget && error.includes('"maxTokens"') ? Math.max(LEAST_TOKENS, 2 * result.tokenUsage) : null,
    maxCost: isBudget && error.includes('"maxCost"') ? Math.max(LEAST_COST, 2 * result.cost) : null,
  };
}

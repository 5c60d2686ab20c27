import type { RunForked } from '../../../core/log/event.js';
import type { Plan } from '../../../core/plan/plan.js';
import type { RunState } from '../../../core/state/state.js';
import { faultsOfEdits } from '../../requests/forks/fork-edits.js';

/** What is wrong with the beginning of a fork, worded to follow a noun; null: a request for a fork can have led to it. */
export function problemOfFork(
  { fromSeq, before, edits: { state, unitInput } }: RunForked,
  { plan, source }: { readonly plan: Plan; readonly source: RunState | null },
): string | null {
  if (source !== null) {
    if (source.cancelling !== null) return 'begins where its source was being cancelled';
    if (before === undefined && source.checkpoint !== fromSeq) return 'begins at no checkpoint of its source';
  }
  if (unitInput !== undefined && before === undefined) return 'gives an input to no unit';
  const [fault] = faultsOfEdits({ state, unitInput }, { plan, before });
  return fault === undefined ? null : `has an edit that no fork may have: ${fault.message}`;
}

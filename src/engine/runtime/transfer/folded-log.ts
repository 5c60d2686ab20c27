import { InvalidRequestError } from '../../../errors/request-errors.js';
import { apply, draftOf } from '../../core/evolve.js';
import { eventKind } from '../../core/log/event-kinds.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Plan } from '../../core/plan/plan.js';
import { INITIAL_STATE, type RunState } from '../../core/state/state.js';
import { statusOf } from '../../core/state/status.js';
import type { Steps } from '../../core/steps.js';
import { CheckedLocations } from './checked-locations.js';

/**
 * Scopes, waits, branches and decisions that folding may look at, over all events that look at more than their own: a few
 * seconds of work. A log of nothing but going back, cancelling and joining would take hours.
 */
const MAX_LOOKS = 1_000_000;

export interface FoldRequest {
  readonly events: readonly RunEvent[];
  readonly plan: Plan;
  /** The state of the run that this one is a fork of, where it was forked; null: it is none, or begins anew. */
  readonly source: RunState | null;
}

/** Called with each event before it is folded; throws for one that does not follow. `before` moves on afterwards. */
type Follows = (event: RunEvent, before: RunState) => Steps<void>;

/** The state after a log that was sent. Throws an `InvalidRequestError` for what is no log of a run of the plan. */
export function* foldSteps(
  { events, plan, source }: FoldRequest,
  follows: Follows | null = null,
): Steps<RunState> {
  const draft = draftOf(INITIAL_STATE);
  const locations = new CheckedLocations(plan);
  const baseStates = new Map<number, RunState | undefined>();
  for (const event of events) if (event.type === 'rewound') baseStates.set(event.toSeq, undefined);
  let looks = 0;
  for (const event of events) {
    yield;
    const baseState =
      event.type === 'rewound' ? baseStates.get(event.toSeq) : event.type === 'run-forked' ? source : null;
    const problem =
      locations.problemOf(event) ??
      (baseState === undefined ? 'goes back to an event that is not before it' : null);
    if (problem !== null) throw new InvalidRequestError(`Event ${event.seq} of the export ${problem}`);
    looks +=
      eventKind(event.type).looks(draft, event) +
      (baseState?.scopes.size ?? 0) +
      (baseState?.waits.size ?? 0);
    if (looks > MAX_LOOKS) {
      throw new InvalidRequestError(
        'The export takes too long to read: it goes back, cancels or joins too much too often',
      );
    }
    if (follows !== null) yield* follows(event, draft);
    folded(() => apply(draft, event, baseState ?? undefined), event);
    if (event.newStatus !== undefined && event.newStatus !== statusOf(draft)) {
      throw new InvalidRequestError(
        `Event ${event.seq} of the export says that the run is ${event.newStatus} with it, which it is not`,
      );
    }
    if ('scope' in event && !locations.isCounted(draft, event.scope)) {
      throw new InvalidRequestError(
        `Event ${event.seq} of the export is of a branch before which others would have begun`,
      );
    }
    if (baseStates.has(event.seq)) baseStates.set(event.seq, draftOf(draft));
  }
  return draft;
}

/** An error may be the engine's fault or the log's: which of them cannot be told. */
function folded(fold: () => void, { seq, type }: RunEvent): void {
  try {
    fold();
  } catch {
    throw new InvalidRequestError(
      `Event ${seq} of the export (${type}) does not follow from those before it`,
    );
  }
}

import { InvalidRequestError } from '../../../errors/request-errors.js';
import { apply, draftOf } from '../../core/evolve.js';
import { eventKind } from '../../core/log/event-kinds.js';
import type { ScopeId } from '../../core/log/event-base.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Plan } from '../../core/plan/plan.js';
import { childScopesOf } from '../../core/state/child-scopes.js';
import { forkKey } from '../../core/state/scope.js';
import { INITIAL_STATE, type RunState } from '../../core/state/state.js';
import type { Steps } from '../../core/steps.js';
import { CheckedPlaces } from './checked-places.js';

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

/** Asked of each event before it is folded; throws for one that does not follow. `before` moves on afterwards. */
type Follows = (event: RunEvent, before: RunState) => Steps<void>;

/** The state after a log that somebody sent. Throws an `InvalidRequestError` for what is no log of a run of the plan. */
export function* foldSteps(
  { events, plan, source }: FoldRequest,
  follows: Follows | null = null,
): Steps<RunState> {
  const draft = draftOf(INITIAL_STATE);
  const places = new CheckedPlaces(plan);
  const prefixes = new Map<number, RunState | undefined>();
  for (const event of events) if (event.type === 'rewound') prefixes.set(event.toSeq, undefined);
  let looks = 0;
  for (const event of events) {
    yield;
    const prefix =
      event.type === 'rewound' ? prefixes.get(event.toSeq) : event.type === 'run-forked' ? source : null;
    const problem =
      places.problemOf(event) ??
      (prefix === undefined ? 'goes back to an event that is not before it' : null);
    if (problem !== null) throw new InvalidRequestError(`Event ${event.seq} of the export ${problem}`);
    looks += looksOf(draft, event) + (prefix?.scopes.size ?? 0) + (prefix?.waits.size ?? 0);
    if (looks > MAX_LOOKS) {
      throw new InvalidRequestError(
        'The export takes too long to read: it goes back, cancels or joins too much too often',
      );
    }
    if (follows !== null) yield* follows(event, draft);
    folded(() => apply(draft, event, prefix ?? undefined), event);
    if ('scope' in event && !places.isCounted(draft, event.scope)) {
      throw new InvalidRequestError(
        `Event ${event.seq} of the export is of a branch before which others would have begun`,
      );
    }
    if (prefixes.has(event.seq)) prefixes.set(event.seq, draftOf(draft));
  }
  return draft;
}

/** At how many scopes, waits, branches and decisions folding the event looks; 0: at its own alone. */
function looksOf(state: RunState, event: RunEvent): number {
  const { scopes, waits, forks, decisions } = state;
  const kind = eventKind(event.type);
  switch (event.type) {
    case 'node-closed':
      return forks.get(forkKey(event.scope, event.path))?.end ?? 0;
    case 'branch-closed':
      return scopesInside(state, event.scope);
    case 'rewound':
      return scopes.size + waits.size + forks.size + decisions.size;
    default:
      return kind.sweeps(event) || kind.restates(event) ? scopes.size + waits.size + forks.size : 0;
  }
}

function scopesInside(state: RunState, scope: ScopeId): number {
  const cursor = state.scopes.get(scope)?.cursor;
  if (cursor === undefined) return 0;
  const children = childScopesOf(state, scope, cursor);
  return children.reduce((sum, child) => sum + scopesInside(state, child), children.length);
}

/** What is thrown is ours, or the log's: which of them cannot be told. */
function folded(fold: () => void, { seq, type }: RunEvent): void {
  try {
    fold();
  } catch {
    throw new InvalidRequestError(
      `Event ${seq} of the export (${type}) does not follow from those before it`,
    );
  }
}

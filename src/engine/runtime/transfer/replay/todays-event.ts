import { messageOf } from '../../../../errors/flowgate-error.js';
import { decide } from '../../../core/decide.js';
import type { JsonObject } from '../../../core/json.js';
import type { ScopeId } from '../../../core/log/event-base.js';
import type { RunEvent } from '../../../core/log/event.js';
import type { Plan } from '../../../core/plan/plan.js';
import type { Signal } from '../../../core/signal.js';
import { placeOfScope, ROOT_SCOPE } from '../../../core/state/scope.js';
import type { RunState } from '../../../core/state/state.js';
import { UNBOUNDED } from '../../../core/turn/budget.js';
import { NO_LIMITS } from '../../../core/turn/limits.js';
import { canonicalJson } from '../../../json/canonical-json.js';

/** What an event says, without its version, its seq and its instant. */
export type Said = JsonObject & { readonly type: string };

/** `today` is null where today's engine would do nothing. */
export type Compared = { readonly isSame: true } | { readonly isSame: false; readonly today: Said | null };

const ONE_EVENT = { ...UNBOUNDED, events: 1 };
const SAME: Compared = { isSame: true };
const ENCRYPTED = '(encrypted)';

/**
 * Whether today's engine does where the log has this event what the log says.
 *
 * The event is one of the thread of its scope, of the thread around it that opens that scope, or, where a failure goes
 * outward, of one inside. In which order threads take their turns is no matter of the workflow, so each of these is
 * asked what it does next.
 */
export function compareWithToday(plan: Plan, before: RunState, recorded: RunEvent): Compared {
  let other: Said | null = null;
  for (const scope of threadsFor(before, 'scope' in recorded ? recorded.scope : ROOT_SCOPE)) {
    const today = nextOf(plan, before, goingOnAt(scope, recorded.at));
    if (today === null) continue;
    if (isSame(today, recorded) || isSame(earlier(plan, before, { today, recorded, scope }), recorded))
      return SAME;
    other ??= comparable(today, recorded);
  }
  return { isSame: false, today: other };
}

/** Of a log that ends while its run is live: what today's engine would have done before; null: nothing. */
export function whatIsLeft(plan: Plan, end: RunState): Said | null {
  return nextOf(plan, end, { type: 'continue', at: end.eventAt });
}

export function saidBy({ v: _version, seq: _seq, at: _at, ...rest }: RunEvent): Said {
  return JSON.parse(JSON.stringify(rest)) as Said;
}

function goingOnAt(scope: ScopeId, at: number): Signal {
  return { type: 'continue', at, rest: { interrupted: [scope], ready: [] } };
}

function nextOf(plan: Plan, before: RunState, signal: Signal): Said | null {
  try {
    const [next] = decide(plan, before, signal, NO_LIMITS, ONE_EVENT).events;
    return next === undefined ? null : saidBy(next);
  } catch (error) {
    // As the run would be paused with it.
    return { type: 'undecided', error: messageOf(error) };
  }
}

/**
 * No event is older than the one before it, but a wait is reckoned from when its turn was, which may have been earlier:
 * clocks are set back. Then what today's engine does at the instant that the recorded one tells of; else nothing.
 */
function earlier(
  plan: Plan,
  before: RunState,
  { today, recorded, scope }: { readonly today: Said; readonly recorded: RunEvent; readonly scope: ScopeId },
): Said | null {
  if (recorded.type !== 'timer-set' || today.type !== 'timer-set' || recorded.at !== before.eventAt)
    return null;
  const byMs = Number(today['dueAt']) - recorded.dueAt;
  return byMs > 0 ? nextOf(plan, before, goingOnAt(scope, recorded.at - byMs)) : null;
}

/** The thread whose event it most likely is comes first. */
function* threadsFor({ scopes }: RunState, scope: ScopeId): Generator<ScopeId> {
  let nearest = scope;
  while (nearest !== ROOT_SCOPE && !scopes.has(nearest)) nearest = placeOfScope(nearest).parent;
  yield nearest;
  if (nearest !== scope) return;
  const inside: ScopeId[] = [];
  scopes.forEach(({ cursor }, id) => {
    const isInside = id !== scope && (scope === ROOT_SCOPE || id.startsWith(`${scope}>`));
    if (isInside && cursor.phase !== 'waiting' && cursor.phase !== 'closed') inside.push(id);
  });
  yield* inside.sort();
}

function isSame(today: Said | null, recorded: RunEvent): boolean {
  if (today === null) return false;
  return canonicalJson(comparable(today, recorded)) === canonicalJson(comparable(saidBy(recorded), recorded));
}

/** Settings that are encrypted at rest cannot be compared: that there are some is. */
function comparable(one: Said, recorded: RunEvent): Said {
  const isHidden = recorded.type === 'unit-scheduled' && isSealed(recorded.settings);
  const hasSettings = one['settings'] !== undefined && one['settings'] !== null;
  return isHidden && hasSettings ? { ...one, settings: ENCRYPTED } : one;
}

function isSealed(settings: JsonObject | null): boolean {
  return settings !== null && typeof settings['sealed'] === 'string' && Object.keys(settings).length === 1;
}

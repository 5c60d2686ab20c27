import { messageOf } from '../../../../errors/flowgate-error.js';
import { decide } from '../../../core/decide.js';
import type { JsonObject, JsonValue } from '../../../core/json.js';
import type { ScopeId } from '../../../core/log/event-base.js';
import type { RunEvent } from '../../../core/log/event.js';
import type { Plan } from '../../../core/plan/plan.js';
import type { Signal } from '../../../core/signal.js';
import { placeOfScope, ROOT_SCOPE } from '../../../core/state/scope.js';
import type { RunState } from '../../../core/state/state.js';
import type { Steps } from '../../../core/steps.js';
import { UNBOUNDED } from '../../../core/turn/budget.js';
import { NO_LIMITS } from '../../../core/turn/limits.js';
import { isSameJson } from '../../../json/same-json.js';
import type { ReplayMeter } from './replay-meter.js';

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
 * asked what it does next; between two of them the work may be interrupted.
 */
export function* compareWithToday(
  plan: Plan,
  before: RunState,
  recorded: RunEvent,
  meter: ReplayMeter,
): Steps<Compared> {
  const said = comparable(recorded, recorded);
  let other: Said | null = null;
  for (const scope of threadsFor(before, 'scope' in recorded ? recorded.scope : ROOT_SCOPE, meter)) {
    const today = nextOf(plan, before, goingOnAt(scope, recorded.at), meter);
    yield;
    if (today === null) continue;
    if (isSameJson(comparable(today, recorded), said)) return SAME;
    const sooner = earlier(plan, before, { today, recorded, scope }, meter);
    if (sooner !== null && isSameJson(comparable(sooner, recorded), said)) return SAME;
    other ??= plain(comparable(today, recorded));
  }
  return { isSame: false, today: other };
}

/** Of a log that ends while its run is live: what today's engine would have done before; null: nothing. */
export function whatIsLeft(plan: Plan, end: RunState, meter: ReplayMeter): Said | null {
  const left = nextOf(plan, end, { type: 'continue', at: end.eventAt }, meter);
  return left === null ? null : plain(withoutStamp(left));
}

export function saidBy(event: RunEvent): Said {
  return plain(withoutStamp(event));
}

/** An event, or what has the run paused in its place. */
type Next = RunEvent | { readonly type: 'undecided'; readonly error: string };

function goingOnAt(scope: ScopeId, at: number): Signal {
  return { type: 'continue', at, rest: { interrupted: [scope], ready: [] } };
}

function nextOf(plan: Plan, before: RunState, signal: Signal, meter: ReplayMeter): Next | null {
  try {
    const { events, spent } = decide(plan, before, signal, NO_LIMITS, ONE_EVENT);
    meter.count(spent.steps);
    return events[0] ?? null;
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
  { today, recorded, scope }: { readonly today: Next; readonly recorded: RunEvent; readonly scope: ScopeId },
  meter: ReplayMeter,
): Next | null {
  if (recorded.type !== 'timer-set' || today.type !== 'timer-set' || recorded.at !== before.eventAt)
    return null;
  const byMs = today.dueAt - recorded.dueAt;
  return byMs > 0 ? nextOf(plan, before, goingOnAt(scope, recorded.at - byMs), meter) : null;
}

/** The thread whose event it most likely is comes first. */
function* threadsFor({ scopes }: RunState, scope: ScopeId, meter: ReplayMeter): Generator<ScopeId> {
  let nearest = scope;
  while (nearest !== ROOT_SCOPE && !scopes.has(nearest)) nearest = placeOfScope(nearest).parent;
  yield nearest;
  if (nearest !== scope) return;
  const inside: ScopeId[] = [];
  meter.look(scopes.size);
  scopes.forEach(({ cursor }, id) => {
    const isInside = id !== scope && (scope === ROOT_SCOPE || id.startsWith(`${scope}>`));
    if (isInside && cursor.phase !== 'waiting' && cursor.phase !== 'closed') inside.push(id);
  });
  yield* inside.sort();
}

/** Settings that are encrypted at rest cannot be compared: that there are some is. */
function comparable(one: Next, recorded: RunEvent): Readonly<Record<string, unknown>> {
  const said = withoutStamp(one);
  const isHidden = recorded.type === 'unit-scheduled' && isSealed(recorded.settings);
  const hasSettings = one.type === 'unit-scheduled' && one.settings !== null;
  return isHidden && hasSettings ? { ...said, settings: ENCRYPTED } : said;
}

function withoutStamp(one: Next): Readonly<Record<string, unknown>> {
  if (one.type === 'undecided') return one;
  const { v: _version, seq: _seq, at: _at, ...rest } = one;
  return rest;
}

/** As a log gives it back. */
function plain(said: Readonly<Record<string, unknown>>): Said {
  return JSON.parse(JSON.stringify(said)) as JsonValue as Said;
}

function isSealed(settings: JsonObject | null): boolean {
  return settings !== null && typeof settings['sealed'] === 'string' && Object.keys(settings).length === 1;
}

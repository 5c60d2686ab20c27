import { messageOf } from '../../../../errors/flowgate-error.js';
import { decide } from '../../../core/decide.js';
import type { JsonObject, JsonValue } from '../../../core/json.js';
import type { ScopeId } from '../../../core/log/event-base.js';
import type { RunEvent } from '../../../core/log/event.js';
import type { Plan } from '../../../core/plan/plan.js';
import type { Signal } from '../../../core/signal.js';
import { locationOfScope, ROOT_SCOPE } from '../../../core/state/scope.js';
import type { RunState } from '../../../core/state/state.js';
import type { Steps } from '../../../core/steps.js';
import { UNBOUNDED } from '../../../core/turn/limits/budget.js';
import { NO_LIMITS } from '../../../core/turn/limits/limits.js';
import { isSameJson } from '../../../json/same-json.js';
import type { ReplayMeter } from './replay-meter.js';

/** What an event says, without its version, its seq, its instant, and what became of the run with its turn. */
export type Said = JsonObject & { readonly type: string };

/** `replayed` is null where today's engine would do nothing. */
export type Compared = { readonly isSame: true } | { readonly isSame: false; readonly replayed: Said | null };

const ONE_EVENT = { ...UNBOUNDED, events: 1 };
const SAME: Compared = { isSame: true };
const ENCRYPTED = '(encrypted)';

/**
 * Whether today's engine does, at the point of this event in the log, what the event says.
 *
 * The event is one of the thread of its scope, of the thread around it that opens that scope, or, where a failure goes
 * outward, of one inside. The order in which threads run is no part of the workflow, so each of these is tried for its next
 * event; between two of them the work may be interrupted.
 */
export function* compareWithReplayed(
  plan: Plan,
  before: RunState,
  recorded: RunEvent,
  meter: ReplayMeter,
): Steps<Compared> {
  const said = comparable(recorded, recorded);
  let other: Said | null = null;
  for (const scope of threadsFor(before, 'scope' in recorded ? recorded.scope : ROOT_SCOPE, meter)) {
    const replayed = nextOf(plan, before, continuingAt(scope, recorded.at), meter);
    yield;
    if (replayed === null) continue;
    if (isSameJson(comparable(replayed, recorded), said)) return SAME;
    const sooner = earlier(plan, before, { replayed, recorded, scope }, meter);
    if (sooner !== null && isSameJson(comparable(sooner, recorded), said)) return SAME;
    other ??= plain(comparable(replayed, recorded));
  }
  return { isSame: false, replayed: other };
}

/** For a log that ends while its run is live: what today's engine would have done before; null: nothing. */
export function whatIsLeft(plan: Plan, end: RunState, meter: ReplayMeter): Said | null {
  const left = nextOf(plan, end, { type: 'continue', at: end.eventAt }, meter);
  return left === null ? null : plain(withoutStamp(left));
}

export function saidBy(event: RunEvent): Said {
  return plain(withoutStamp(event));
}

/** An event, or the error that would pause the run in its place. */
type Next = RunEvent | { readonly type: 'undecided'; readonly error: string };

function continuingAt(scope: ScopeId, at: number): Signal {
  return { type: 'continue', at, continuation: { interrupted: [scope], ready: [], at } };
}

function nextOf(plan: Plan, before: RunState, signal: Signal, meter: ReplayMeter): Next | null {
  try {
    // What was told is not compared: nothing is to be found out for it.
    const told = { ...before, isPauseTold: true };
    const { events, spent } = decide(plan, told, signal, NO_LIMITS, ONE_EVENT);
    meter.count(spent.steps);
    return events[0] ?? null;
  } catch (error) {
    // The run would be paused with this error.
    return { type: 'undecided', error: messageOf(error) };
  }
}

/**
 * No event is older than the one before it, but a wait counts from the instant of its turn, which may have been earlier:
 * clocks are set back. In that case, what today's engine does at the instant that the recorded event implies; else null.
 */
function earlier(
  plan: Plan,
  before: RunState,
  {
    replayed,
    recorded,
    scope,
  }: { readonly replayed: Next; readonly recorded: RunEvent; readonly scope: ScopeId },
  meter: ReplayMeter,
): Next | null {
  if (recorded.type !== 'timer-set' || replayed.type !== 'timer-set' || recorded.at !== before.eventAt)
    return null;
  const byMs = replayed.dueAt - recorded.dueAt;
  return byMs > 0 ? nextOf(plan, before, continuingAt(scope, recorded.at - byMs), meter) : null;
}

/** The thread whose event it most likely is comes first. */
function* threadsFor({ scopes }: RunState, scope: ScopeId, meter: ReplayMeter): Generator<ScopeId> {
  let nearest = scope;
  while (nearest !== ROOT_SCOPE && !scopes.has(nearest)) nearest = locationOfScope(nearest).parent;
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

/** Settings that are encrypted at rest cannot be compared, only that there are some. */
function comparable(one: Next, recorded: RunEvent): Readonly<Record<string, unknown>> {
  const said = withoutStamp(one);
  const isHidden = recorded.type === 'unit-scheduled' && isSealed(recorded.settings);
  const hasSettings = one.type === 'unit-scheduled' && one.settings !== null;
  return isHidden && hasSettings ? { ...said, settings: ENCRYPTED } : said;
}

function withoutStamp(one: Next): Readonly<Record<string, unknown>> {
  if (one.type === 'undecided') return one;
  const { v: _version, seq: _seq, at: _at, newStatus: _newStatus, ...rest } = one;
  return rest;
}

/** The content as a log gives it back. */
function plain(said: Readonly<Record<string, unknown>>): Said {
  return JSON.parse(JSON.stringify(said)) as JsonValue as Said;
}

function isSealed(settings: JsonObject | null): boolean {
  return settings !== null && typeof settings['sealed'] === 'string' && Object.keys(settings).length === 1;
}

import { apply, draftOf, tellStatus } from '../evolve.js';
import type { NamedItem, NewStatus } from '../log/event-base.js';
import type { NewEvent, RunEvent, ScopeId } from '../log/event.js';
import type { Failure } from '../log/failure.js';
import { eventKind, stampEvent } from '../log/event-kinds.js';
import type { EvaluationMeter } from '../plan/expression.js';
import type { Plan } from '../plan/plan.js';
import type { Continuation } from '../signal.js';
import type { Draft, RunState } from '../state/state.js';
import { statusOf } from '../state/status.js';
import { stepsOfEvents, type Budget, type Spent } from './limits/budget.js';
import { closedGates } from './closed-gates.js';
import type { Limits } from './limits/limits.js';
import { itemOf, namesItems } from './named-item.js';
import { reopenedGates } from './reopened-gates.js';
import { ReadyScopes } from './ready-scopes.js';

/**
 * The work of one signal: the events so far and the state with them folded in. It exists for the length of one `decide`,
 * which makes it the only mutable thing of the core.
 *
 * The state that it began with stays as it was: the first event copies it, and all events are folded into that one copy. So
 * a reference to `state` that is kept over an `emit` sees it change; the maps and what they hold do not change.
 */
export class Turn implements EvaluationMeter {
  /** What the turn's expressions cost. */
  steps = 0;
  readonly events: RunEvent[] = [];
  readonly ready = new ReadyScopes();
  private draft: Draft | null = null;
  /** Threads that were on their way when the budget was spent, the innermost first; null: none. */
  private interrupted: ScopeId[] | null = null;
  /** More threads than those that the signal was for may have something to do. */
  visitsAll = false;
  /** What the run failed with; null: it did not fail in this turn. */
  failure: Failure | null = null;
  /** A thread was about to open a scope that deep, more than the limits allow; 0: none was. */
  tooDeep = 0;

  /** The state before its first event. */
  readonly before: RunState;

  private readonly charsBefore: number;
  private readonly hasNamedItems: boolean;

  constructor(
    readonly plan: Plan,
    public state: RunState,
    readonly at: number,
    readonly limits: Limits,
    private readonly budget: Budget,
  ) {
    this.before = state;
    this.charsBefore = state.logChars;
    this.hasNamedItems = namesItems(plan);
  }

  /**
   * Takes over the event, which must be the caller's own, and has those follow it that say which gates it closed or reopened. `baseState`:
   * the state that a rewind goes back to, or a fork begins with.
   */
  emit(event: NewEvent, baseState?: RunState): void {
    const draft = (this.draft ??= this.beginDraft());
    if (draft.forPeople === 0) return void this.add(event, draft, baseState);
    const { phase, waits, forPeople, scopes } = draft;
    const stamped = this.add(event, draft, baseState);
    const before = { phase, waits, forPeople, scopes };
    for (const closed of closedGates(before, stamped, draft)) this.add(closed, draft);
    for (const open of reopenedGates(before, stamped, draft)) this.add(open, draft);
  }

  private add(event: NewEvent, draft: Draft, baseState?: RunState): RunEvent {
    const kind = eventKind(event.type);
    const item = this.hasNamedItems ? itemOf(draft, event) : undefined;
    if (item !== undefined) (event as { item?: NamedItem }).item = item;
    const stamped = stampEvent(event, draft.seq + 1, this.now, kind);
    this.events.push(stamped);
    apply(draft, stamped, baseState, kind);
    // Told at once: a turn that is preempted from here on has moved the run.
    if (draft.isPauseTold && statusOf(draft) === 'running') tell(stamped, draft, 'running');
    return stamped;
  }

  /** Epoch ms: the `at` of the event that is emitted next. No event is older than the one before it. */
  get now(): number {
    return Math.max(this.at, this.state.eventAt);
  }

  /** Whether the run looks paused, and clients are not told so: some thread may still have something to do. */
  get hasUntoldPause(): boolean {
    const { draft } = this;
    return draft !== null && !draft.isPauseTold && statusOf(draft) === 'paused';
  }

  /** Nothing moves any more: the last event of the turn tells the pause. */
  tellPause(): void {
    const { draft } = this;
    const last = this.events.at(-1);
    if (draft !== null && last !== undefined) tell(last, draft, 'paused');
  }

  private beginDraft(): Draft {
    const draft = draftOf(this.state);
    this.state = draft;
    return draft;
  }

  /** Readies every thread that does not wait: each continues from where the log stopped. */
  visitAll(): void {
    this.visitsAll = true;
    const found: ScopeId[] = [];
    this.state.scopes.forEach(({ cursor }, scope) => {
      if (cursor.phase !== 'waiting' && cursor.phase !== 'closed') found.push(scope);
    });
    // Sorted: the order of a map depends on how it came to be.
    for (const scope of found.sort()) this.ready.add(scope);
  }

  /** The thread was on its way when the budget was spent. */
  interrupt(scope: ScopeId): void {
    (this.interrupted ??= []).push(scope);
  }

  /** True when the run is over, exceeds its limits, or the budget is spent: what is left must not be begun. */
  get isFull(): boolean {
    return this.mustStop || this.isSpent;
  }

  /** The budget is spent: what is left is for the next signal. */
  get isSpent(): boolean {
    const { budget, events, steps, state } = this;
    if (events.length === 0) return steps >= budget.steps || budget.events === 0 || budget.chars === 0;
    const chars = state.logChars - this.charsBefore;
    return (
      steps + stepsOfEvents(events.length, chars) >= budget.steps ||
      events.length >= budget.events ||
      chars >= budget.chars
    );
  }

  /** No thread may take another step. */
  get mustStop(): boolean {
    return this.state.phase !== 'live' || this.exceedsLimits;
  }

  get exceedsLimits(): boolean {
    const { state, limits } = this;
    // A run that is being cancelled comes to its end: a limit does not keep it from that.
    if (state.cancelling !== null) return false;
    return this.tooDeep > 0 || state.stateChars > limits.maxStateChars || state.logChars > limits.maxLogChars;
  }

  get spent(): Spent {
    const { events, steps, state } = this;
    const chars = state.logChars - this.charsBefore;
    return { steps: steps + stepsOfEvents(events.length, chars), chars, events: events.length };
  }

  /** What the turn left to do; null: nothing. */
  get continuation(): Continuation | null {
    const { interrupted, ready } = this;
    if (interrupted === null && ready.size === 0) return null;
    return { interrupted: interrupted ?? [], ready: ready.left(), at: this.at };
  }
}

/** The event becomes the one that tells what became of the run. */
function tell(event: RunEvent, draft: Draft, newStatus: NewStatus): void {
  const { chars } = eventKind(event.type);
  draft.logChars -= chars(event);
  (event as { newStatus?: NewStatus }).newStatus = newStatus;
  draft.logChars += chars(event);
  tellStatus(draft, newStatus);
}

import { evolve } from '../evolve.js';
import type { NewEvent, RunEvent, ScopeId } from '../log/event.js';
import { EVENT_VERSION } from '../log/event.js';
import type { Plan } from '../plan/plan.js';
import type { RunState } from '../state/state.js';

/** One append stays below this many events; what is left goes on with the next signal. */
export const MAX_EVENTS_PER_TURN = 5_000;

/**
 * The work of one signal: the events so far and the state with them folded in. It exists for the length of
 * one `decide`, which makes it the only mutable thing of the core.
 */
export class Turn {
  readonly events: RunEvent[] = [];
  /** Scopes whose thread may have something to do; visited once each, in order. */
  readonly ready = new Set<ScopeId>();

  constructor(
    readonly plan: Plan,
    public state: RunState,
    readonly at: number,
  ) {}

  /** Takes over the event, which must be the caller's own: stamping it in place is much of the turn's speed. */
  emit(event: NewEvent): void {
    const { state } = this;
    const stamped = event as { -readonly [K in keyof RunEvent]: RunEvent[K] };
    stamped.v = EVENT_VERSION;
    stamped.seq = state.seq + 1;
    stamped.at = Math.max(this.at, state.updatedAt);
    this.events.push(stamped as RunEvent);
    this.state = evolve(state, stamped as RunEvent);
  }

  /** True when the run is over or the append is long enough: leave the rest to the next signal. */
  get isFull(): boolean {
    return this.state.phase !== 'live' || this.events.length >= MAX_EVENTS_PER_TURN;
  }
}

import { evolve } from '../evolve.js';
import type { NewEvent, RunEvent, ScopeId } from '../log/event.js';
import { stampEvent } from '../log/event-kinds.js';
import type { Plan } from '../plan/plan.js';
import type { RunState } from '../state/state.js';

/** One append stays below this many events; what is left goes on with the next signal. */
const MAX_EVENTS_PER_TURN = 5_000;

/** What a run must not outgrow. */
export interface Limits {
  /** About how many characters of JSON its state may hold (`stateChars`). */
  readonly maxStateChars: number;
}

/**
 * The work of one signal: the events so far and the state with them folded in. It exists for the length of
 * one `decide`, which makes it the only mutable thing of the core.
 */
export class Turn {
  readonly events: RunEvent[] = [];
  /** Scopes whose thread may have something to do; visited once each, in order. */
  readonly ready = new Set<ScopeId>();
  /** Not only what the signal was for may have something to do. */
  visitsAll = false;

  constructor(
    readonly plan: Plan,
    public state: RunState,
    readonly at: number,
    private readonly limits: Limits,
  ) {}

  /** Takes over the event, which must be the caller's own. `prefix`: the state that a rewind goes back to. */
  emit(event: NewEvent, prefix?: RunState): void {
    const { state } = this;
    const stamped = stampEvent(event, state.seq + 1, Math.max(this.at, state.eventAt));
    this.events.push(stamped);
    this.state = evolve(state, stamped, prefix);
  }

  /** Every thread may have something to do: those that wait stay, the others go on from where the log stopped. */
  visitAll(): void {
    this.visitsAll = true;
    // Sorted: the order of a map depends on how it came to be.
    for (const scope of [...this.state.scopes.keys()].sort()) this.ready.add(scope);
  }

  /** True when the run is over, has outgrown its limits, or the append is long enough: leave the rest. */
  get isFull(): boolean {
    return this.state.phase !== 'live' || this.isLong || this.isBeyondLimits;
  }

  /** The rest is for the next signal. */
  get isLong(): boolean {
    return this.events.length >= MAX_EVENTS_PER_TURN;
  }

  get isBeyondLimits(): boolean {
    return this.state.stateChars > this.limits.maxStateChars;
  }

  get maxStateChars(): number {
    return this.limits.maxStateChars;
  }
}

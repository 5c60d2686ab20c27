import type { RunState } from '../state/state.js';
import type { AnyEvent, EventBase } from './event-base.js';
import type { EventShape } from './event-shape.js';
import type { PublicForm } from './public-form.js';

/** The fields that the view `log` may show: not those that all events have, not the location, never a unit's settings. */
export type LogField<E extends AnyEvent> = Exclude<
  keyof E,
  keyof EventBase | 'type' | 'path' | 'scope' | 'settings'
>;

/**
 * What the shell has to know of a type of event. It stands with the event's kind, and nothing in it has a default: who adds
 * an event decides each.
 */
export interface EventFacts<E extends AnyEvent> {
  /**
   * Whether the engine came to the event itself, by its threads, from the state before it. All else came from outside, or
   * follows from what did at an instant that the log does not tell: outcomes, decisions, child notifications, what was due,
   * requests of people, and what a setting or a crash of the process made of the run.
   */
  readonly isEngineEvent: boolean | ((event: E, before: RunState) => boolean);
  /** Whether it may change which gates are open: only then are they written. */
  readonly movesGates: boolean | ((event: E) => boolean);
  /** Whether a run can have paused with it; whether it did, its status after the event says. */
  readonly mayPause: boolean;
  /** Whether the unit that it names begins with it: it is called, a gate, a timer or a child opens for it, or it is done. */
  readonly schedulesUnit: boolean;
  /** What clients see of it; null: it is not public, or this one is not. */
  readonly publicForm: ((event: E) => PublicForm | null) | null;
  /** The fields that the view `log` shows: a new field is shown to nobody until it is listed. */
  readonly logFields: readonly LogField<E>[];
  /** What its fields hold, for a log that was sent. */
  readonly shape: EventShape<E>;
}

export type FactsOf<E extends AnyEvent> = {
  readonly [T in E['type']]: EventFacts<Extract<E, { readonly type: T }>>;
};

/** For an event by which a thread moves, and of which only the view `log` tells. */
export const OF_A_THREAD = {
  isEngineEvent: true,
  movesGates: false,
  mayPause: false,
  schedulesUnit: false,
  publicForm: null,
} as const;

/** For an event that came from outside, and of which only the view `log` tells. */
export const FROM_OUTSIDE = { ...OF_A_THREAD, isEngineEvent: false } as const;

import type { NodePath, ScopeId } from '../log/event-base.js';

/**
 * What a wait means for the activity of its run. `in-flight`: the shell acts at once. `moving`: it comes to its end without
 * a person, later. `people`: a person has to act. `stop`: the same, and no thread advances before. `held`: another wait, a
 * pause, freezes it. `aside`: a person has to act, and nothing of the run is called, woken or advanced before. `deadline`: it
 * ends something that may end by itself, so the run moves and stands as it would without it.
 */
export type WaitActivity = 'in-flight' | 'moving' | 'people' | 'stop' | 'held' | 'aside' | 'deadline';

/**
 * Something outside that a run waits for: opened by one event, closed by another. Plain JSON. What a kind adds to
 * this, and what it means, is in the kind's one file in `waits/`.
 */
export interface Wait {
  /** Seq of the event that opened it. */
  readonly id: number;
  readonly kind: string;
  readonly path: NodePath;
  readonly scope: ScopeId;
  readonly unitId: string;
  /** Epoch ms at which it moves by itself; null: it does not. */
  readonly dueAt: number | null;
  /** The pause that freezes it, and ends with it; null: none does. */
  readonly heldBy: number | null;
  readonly standing: WaitActivity;
  /** About how many characters of JSON of the author's and the run's it keeps. */
  readonly chars: number;
}

/** The waits in the order in which they opened. The order of a map depends on how it came to be. */
export function byId<W extends Wait>(waits: Iterable<W>): readonly W[] {
  return [...waits].sort((a, b) => a.id - b.id);
}

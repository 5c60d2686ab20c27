import type { NodePath, ScopeId } from '../log/event-base.js';

/**
 * What a wait is to the run as a whole. `in-flight`: the shell acts at once. `moving`: it comes to its end without a
 * person, later. `people`: a person has to act. `stop`: the same, and no thread advances before. `held`: it stands
 * still because another wait, a pause, holds it. `aside`: a person has to act, and nothing of the run is called, woken or
advanced before.
 */
export type Standing = 'in-flight' | 'moving' | 'people' | 'stop' | 'held' | 'aside';

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
  /** The pause that holds it, and ends with it; null: none does. */
  readonly heldBy: number | null;
  readonly standing: Standing;
  /** About how many characters of JSON of the author's and the run's it keeps. */
  readonly chars: number;
}

/** In the order in which they opened. The order of a map depends on how it came to be. */
export function byId<W extends Wait>(waits: Iterable<W>): readonly W[] {
  return [...waits].sort((a, b) => a.id - b.id);
}

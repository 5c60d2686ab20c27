/** How a step stands: each has a mark, a word and a colour. */
export type StepState =
  'running' | 'retrying' | 'waiting' | 'gate' | 'paused' | 'completed' | 'failed' | 'skipped' | 'cancelled';

/** Something that a run does at one location: a call, a gate, a timer, a child run. */
export interface Step {
  /** Seq of the event that began it last. */
  readonly id: number;
  /** Seq of the event that began it first: steps are shown in this order. */
  readonly firstSeq: number;
  readonly kind: 'unit' | 'gate' | 'timer' | 'child' | 'undo' | 'pause';
  readonly unitId: string;
  readonly path: string;
  readonly scope: string;
  readonly state: StepState;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly endedSeq: number | null;
  readonly attempt: number;
  /** How often it was begun: more than once in a loop, or after the run went back. */
  readonly times: number;
  /** What failed, what a gate asks, who decided. */
  readonly text: string;
  /** Epoch ms at which it is tried again, or a timer ends; null: that is not known. */
  readonly dueAt: number | null;
  readonly child: { readonly runId: string; readonly workflowId: string } | null;
}

/** The passes of a foreach at one location. */
export interface Passes {
  readonly path: string;
  readonly scope: string;
  readonly firstSeq: number;
  /** How many items there are; null: that is not known. */
  readonly total: number | null;
  /** By the id of their scope. */
  readonly passes: ReadonlyMap<string, Pass>;
  /** The units that passes have called, in that order. */
  readonly unitIds: ReadonlySet<string>;
}

export interface Pass {
  /** What its item is called, or `#` and its position from 0. */
  readonly name: string;
  readonly openedSeq: number;
  /** Null: it is open. */
  readonly endedSeq: number | null;
  readonly hasFailed: boolean;
}

/** What is undone of what the run did. */
export interface Undoing {
  readonly owed: number;
  readonly done: number;
  readonly failed: number;
  readonly isOver: boolean;
}

export function isOpen({ state }: Step): boolean {
  return !['completed', 'failed', 'skipped', 'cancelled'].includes(state);
}

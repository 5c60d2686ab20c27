import type { JsonObject, JsonValue } from '../../../../clients/typescript/src/types/json.js';

/** How something that a run does stands: each has a shape, a word and a colour. */
export type PartState =
  | 'running'
  | 'gate'
  | 'paused'
  | 'retrying'
  | 'completed'
  | 'failed'
  | 'waiting'
  | 'pending'
  | 'skipped'
  | 'cancelled'
  | 'lost';

export interface Attempt {
  readonly number: number;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Null: it is in flight. */
  readonly endedAt: number | null;
  /** Null: it succeeded, or has not ended. */
  readonly error: string | null;
  /** Whether the unit may have done its work. */
  readonly outcome: 'refused' | 'unknown' | null;
}

/** Something that was begun at a location: a call, a gate, a timer, a child run, a pause. */
export interface Execution {
  /** Seq of the event that began it; 0 or less in the part that a fork inherited. */
  readonly id: number;
  readonly kind: 'unit' | 'gate' | 'timer' | 'child' | 'set' | 'skip' | 'fail';
  readonly unitId: string;
  readonly path: string;
  readonly scope: string;
  readonly state: PartState;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly attempts: readonly Attempt[];
  /** Absent: it was given the run's input. */
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  /** Keys that it wrote, next to its output. */
  readonly written: JsonObject;
  readonly error: string | null;
  /** Epoch ms at which it ends by itself, or is tried again. */
  readonly dueAt: number | null;
  readonly isInherited: boolean;
  /** The run went back beyond it, or the fork begins it anew. */
  readonly isSuperseded: boolean;
  /** What it undoes; null: it is no compensation. */
  readonly compensates: number | null;
  readonly gate?: GateFacts;
  readonly child?: { readonly runId: string; readonly workflowId: string };
  /** What the unit may undo. */
  readonly isCompensable: boolean;
  /** Where in the log its facts are: of the event that began it, and of the one that ended it. */
  readonly endSeq: number | null;
  /** Key of the call, where it is not its own id. */
  readonly key: number | null;
  readonly usage: { readonly tokens: number; readonly cost: number } | null;
}

export interface GateFacts {
  readonly title: string;
  readonly description: string | null;
  readonly onReject: 'fail' | 'continue';
  readonly approved: boolean | null;
  readonly responder: string | null;
  readonly comment: string | null;
}

/** An instance of a branch, a pass or a node of a dag. The root has the id ''. */
export interface ScopeFacts {
  readonly id: string;
  readonly closedAt: number | null;
  readonly error: string | null;
  /** What its item is called. */
  readonly key: string | null;
}

/** What a fan-out, a choice or a try came to, at a path in a scope. */
export interface FlowFacts {
  /** Of a foreach: how many items it goes over. */
  readonly items: number | null;
  /** What was chosen, in order; a delegation chooses often. */
  readonly chosen: readonly string[];
  /** Of a race: the index of the branch that came first. */
  readonly winner: number | null;
  /** Of a loop: how many passes have ended. */
  readonly passes: number;
  /** Of a try: what its `catch` caught. */
  readonly caught: string | null;
  readonly isClosed: boolean;
}

export interface UndoFacts {
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly owed: number;
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
}

export interface RunPause {
  readonly id: number;
  readonly unitId: string;
  readonly path: string;
  readonly scope: string;
  readonly reason: string;
  readonly error: string | null;
  readonly by: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** What is known of a run from its events, in the view `log`. */
export interface RunPicture {
  readonly status: 'pending' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The instant of the newest event. */
  readonly lastAt: number;
  readonly lastSeq: number;
  readonly error: string | null;
  readonly input: JsonObject | null;
  readonly vars: JsonObject | null;
  readonly forkedFrom: { readonly runId: string; readonly seq: number } | null;
  /** In the order of their beginning. */
  readonly executions: readonly Execution[];
  readonly scopes: ReadonlyMap<string, ScopeFacts>;
  /** By `flowKey`. */
  readonly flows: ReadonlyMap<string, FlowFacts>;
  readonly undoings: readonly UndoFacts[];
  readonly pauses: readonly RunPause[];
  /** Seqs of the checkpoints that the run can go back to, in order. */
  readonly checkpoints: readonly Checkpoint[];
}

export interface Checkpoint {
  readonly seq: number;
  readonly at: number;
  readonly after: string;
  readonly unitId: string;
}

export function flowKey(scope: string, path: string): string {
  return `${scope}>${path}`;
}

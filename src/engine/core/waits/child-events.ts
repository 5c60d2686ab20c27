import type { JsonValue } from '../json.js';
import type { EventBase, Place, Usage } from '../log/event-base.js';
import type { GateDecision } from '../state/state.js';
import type { Message } from './wait-kind.js';

/**
 * What the events, signals and messages of child runs hold: what they mean is in `child.ts`.
 * A run of another workflow was begun, or one that failed is tried again.
 */
export interface ChildStarted extends EventBase, Place {
  readonly type: 'child-started';
  readonly unitId: string;
  readonly workflowId: string;
  readonly childRunId: string;
  /** Seq of the event that began it first, where it is tried again; null: this one. */
  readonly key: number | null;
  /** As evaluated. Absent: the run's own input. */
  readonly input?: JsonValue;
  /** What of its usage is counted already. Absent: nothing. */
  readonly counted?: Usage;
  /** Seq of the child's last event when its parent was told that it failed. Absent: it was not. */
  readonly toldSeq?: number;
}

/** Which unit's child run an event is about. */
interface OfChild extends EventBase {
  /** Seq of the `child-started`. */
  readonly childId: number;
  readonly unitId: string;
  readonly childRunId: string;
}

/** The child run waits for a person. */
export interface ChildPaused extends OfChild {
  readonly type: 'child-paused';
}

export interface ChildWentOn extends OfChild {
  readonly type: 'child-went-on';
}

export type ChildStatus = 'completed' | 'failed' | 'cancelled';

export interface ChildEnded extends OfChild {
  readonly type: 'child-ended';
  readonly status: ChildStatus;
  /** Its final state; null unless it completed. */
  readonly output: JsonValue;
  /** The error of the unit; null where it completed. */
  readonly error: string | null;
  /** What of the child was not counted before. */
  readonly usage: Usage;
  /** Seq of the child's last event. */
  readonly childSeq: number;
  /** What was decided last in it, or in a run that it waited for. Absent: nothing was. */
  readonly decided?: DecidedWithin;
}

export type DecidedWithin = Pick<GateDecision, 'approved' | 'responder' | 'decidedAt'>;

/** It could not be started, or is there no more. */
export interface ChildRefused extends OfChild {
  readonly type: 'child-refused';
  readonly error: string;
}

export type ChildEvent = ChildStarted | ChildPaused | ChildWentOn | ChildEnded | ChildRefused;

/** Which child run a signal is from. */
export interface ChildNamed {
  readonly childRunId: string;
  /** Seq of the event that began it first: most are found by it. */
  readonly key: number;
}

export type ChildSignal =
  | ({ readonly type: 'child-stands'; readonly isPaused: boolean } & ChildNamed)
  | ({
      readonly type: 'child-ended';
      readonly status: ChildStatus;
      readonly output: JsonValue;
      readonly error: string | null;
      /** All that it spent. */
      readonly usage: Usage;
      /** Of the child's last event. */
      readonly seq: number;
      readonly decided?: DecidedWithin;
    } & ChildNamed)
  | ({ readonly type: 'child-refused'; readonly error: string } & ChildNamed);

interface MessageOfChild extends Message {
  readonly unitId: string;
  readonly childRunId: string;
}

export type ChildMessage =
  | (MessageOfChild & { readonly type: 'child-started'; readonly workflowId: string })
  | (MessageOfChild & { readonly type: 'child-paused' })
  | (MessageOfChild & { readonly type: 'child-ended'; readonly status: ChildStatus })
  | (Message & {
      readonly type: 'cost-update';
      readonly unitId: string;
      readonly tokens: number;
      readonly cost: number;
    })
  | (Message & {
      readonly type: 'unit-failed';
      readonly unitId: string;
      readonly attempt: number;
      readonly error: string;
    });

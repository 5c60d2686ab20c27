import type { JsonValue } from '../json.js';
import type { Actor } from '../log/actor.js';
import type { EventBase, Place, Usage } from '../log/event-base.js';
import type { RunBudget } from '../state/run-budget.js';
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

/** What a child that has not ended tells of itself, as of an event of its own log. */
interface Heard {
  /** Seq of the child's last event then. Absent in logs of before: it is not known. */
  readonly childSeq?: number;
}

/** The child run waits for a person; or waits for one still, at another place than before. */
export interface ChildPaused extends OfChild, Heard {
  readonly type: 'child-paused';
  /** What of the child was not counted before. Absent: nothing. */
  readonly usage?: Usage;
  /** It stands still with its family, but one that it waits for was resumed by its own address since. Absent: none was. */
  readonly isApart?: true;
}

export interface ChildWentOn extends OfChild, Heard {
  readonly type: 'child-went-on';
  /** Seq of the newest pause of its family that it had followed. Absent: none. */
  readonly followedSeq?: number;
  /** It moves still, but came to a pause, of a branch or until what is in flight has ended. Absent: to none. */
  readonly isStopping?: true;
  /** As of a `child-paused`. */
  readonly usage?: Usage;
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
  /** Of the event with which the child ended, the seq in its log. */
  readonly childSeq: number;
  /** What was decided last in it, or in a run that it waited for. Absent: nothing was. */
  readonly decided?: DecidedWithin;
}

export type DecidedWithin = Pick<GateDecision, 'approved' | 'responder' | 'decidedAt'>;

/** It could not be started, or is there no more. */
export interface ChildRefused extends OfChild {
  readonly type: 'child-refused';
  readonly error: string;
  /** One that had failed, and could not be tried again for now: a resume does. Absent: it begins another. */
  readonly isKept?: true;
  /** Another run has its id: the unit begins another one, which has another id. Absent: the unit failed. */
  readonly again?: true;
}

export type ChildEvent = ChildStarted | ChildPaused | ChildWentOn | ChildEnded | ChildRefused;

/** Which child run a signal is from. */
export interface ChildNamed {
  readonly childRunId: string;
  /** Seq of the event that began it first: most are found by it. */
  readonly key: number;
}

export type ChildSignal =
  | ({
      readonly type: 'child-stands';
      readonly isPaused: boolean;
      /** Of the child's last event. */
      readonly seq: number;
      /** Of the event with which it last came to a pause that is not its family's; 0: none is open. */
      readonly stoppedSeq: number;
      /** Of the newest pause of its family that it followed; 0: none. */
      readonly followedSeq: number;
      /** Whether it stands still since then, as its family does. */
      readonly isFollowing: boolean;
      /** Whether one that it waits for does not, as it was resumed by its own address. */
      readonly isApart: boolean;
      /** All that it spent so far. Absent: nobody says. */
      readonly usage?: Usage;
    } & ChildNamed)
  | ({
      readonly type: 'child-ended';
      readonly status: ChildStatus;
      readonly output: JsonValue;
      readonly error: string | null;
      /** All that it spent. */
      readonly usage: Usage;
      /** Of the event with which the child ended. */
      readonly seq: number;
      readonly decided?: DecidedWithin;
    } & ChildNamed)
  | ({
      readonly type: 'child-refused';
      readonly error: string;
      readonly again?: true;
      /** There is nothing to try again: the run is gone, is somebody else's, or came to its end. Absent: one that had failed is kept. */
      readonly isLost?: true;
    } & ChildNamed);

/** What a run was last told to do with all of its family: see `family-orders.ts`. */
export interface FamilyOrder {
  /** Of the event that gave it: the newer one counts. */
  readonly seq: number;
  readonly type: 'pause' | 'resume';
  readonly by: Actor;
  /** Resume: the run's last event when it was asked. What a child told later it does not mean. */
  readonly seenSeq: number;
  /** Resume: pauses that the child had come to by this event of its log; 0: it had told of none. */
  readonly throughSeq: number;
  /** Resume: what may be spent from here on; null: as much as before. */
  readonly budget: RunBudget | null;
}

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

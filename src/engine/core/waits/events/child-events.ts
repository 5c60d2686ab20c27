import type { JsonValue } from '../../json.js';
import type { Actor } from '../../log/actor.js';
import type { EventBase, Location, Usage } from '../../log/event-base.js';
import type { DoneIn } from '../../state/debts/debt.js';
import type { RunBudget } from '../../state/run-budget.js';
import type { GateDecision } from '../../state/state.js';
import type { Message } from '../wait-kind.js';

/**
 * A run of another workflow was begun, or one that failed is tried again.
 *
 * This file says what the events, signals and messages of child runs hold, and `child.ts` what they mean.
 */
export interface ChildStarted extends EventBase, Location {
  readonly type: 'child-started';
  readonly unitId: string;
  readonly workflowId: string;
  readonly childRunId: string;
  /** Seq of the event that began it first, where it is tried again; null: this one. */
  readonly key: number | null;
  /** The evaluated input. Absent: the run's own input. */
  readonly input?: JsonValue;
  /** The part of its usage that is counted already. Absent: nothing. */
  readonly counted?: Usage;
  /** Seq of the child's last event when its parent was notified of its failure. Absent: it was not. */
  readonly toldSeq?: number;
  /** Another unit can undo it once it has completed. Absent: none can. */
  readonly compensable?: DoneIn;
}

/** Which unit's child run an event is about. */
interface OfChild extends EventBase {
  /** Seq of the `child-started`. */
  readonly childId: number;
  readonly unitId: string;
  readonly childRunId: string;
}

/** What a child that has not ended reports of itself, as of an event of its own log. */
interface ReportedByChild {
  /** Seq of the child's last event then. Absent in older logs: it is not known. */
  readonly childSeq?: number;
}

/** The child run waits for a person; or it still does, at another point than before. */
export interface ChildPaused extends OfChild, ReportedByChild {
  readonly type: 'child-paused';
  /** The child's usage that was not counted before. Absent: nothing. */
  readonly usage?: Usage;
  /** It is paused with its family, but a run that it waits for was resumed by its own address since. Absent: none was. */
  readonly isApart?: true;
}

export interface ChildWentOn extends OfChild, ReportedByChild {
  readonly type: 'child-went-on';
  /** Seq of the newest pause of its family that it had followed. Absent: none. */
  readonly followedSeq?: number;
  /** It still moves, but came to a pause, of a branch or until what is in flight has ended. Absent: to none. */
  readonly isStopping?: true;
  /** The child's usage that was not counted before. Absent: nothing. */
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
  /** The child's usage that was not counted before. */
  readonly usage: Usage;
  /** Seq, in the child's log, of the event with which it ended. */
  readonly childSeq: number;
  /** What was decided last in it, or in a run that it waited for. Absent: nothing was. */
  readonly decided?: DecidedWithin;
}

export type DecidedWithin = Pick<GateDecision, 'approved' | 'responder' | 'decidedAt'>;

/** The child could not be started, or does not exist any more. */
export interface ChildRefused extends OfChild {
  readonly type: 'child-refused';
  readonly error: string;
  /** The child had failed, and could not be tried again for now: a resume does so. Absent: a resume begins another one. */
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
      /** Seq of the child's last event. */
      readonly seq: number;
      /** Seq of the event with which it last came to a pause that is not its family's; 0: none is open. */
      readonly stoppedSeq: number;
      /** Seq of the newest pause of its family that it followed; 0: none. */
      readonly followedSeq: number;
      /** Whether it has been paused since then, as its family is. */
      readonly isFollowing: boolean;
      /** Whether a run that it waits for is not paused, as it was resumed by its own address. */
      readonly isApart: boolean;
      /** All that it spent so far. Absent: it is not known. */
      readonly usage?: Usage;
    } & ChildNamed)
  | ({
      readonly type: 'child-ended';
      readonly status: ChildStatus;
      readonly output: JsonValue;
      readonly error: string | null;
      /** All that it spent. */
      readonly usage: Usage;
      /** Seq of the event with which the child ended. */
      readonly seq: number;
      readonly decided?: DecidedWithin;
    } & ChildNamed)
  | ({
      readonly type: 'child-refused';
      readonly error: string;
      readonly again?: true;
      /**
       * There is nothing to try again: the run is gone, belongs to another run, or is over. Absent: a failed one is kept.
       */
      readonly isLost?: true;
    } & ChildNamed);

/** What a run was last ordered to do with all of its family: see `family-orders.ts`. */
export interface FamilyOrder {
  /** Seq of the event that gave the order: the newer one counts. */
  readonly seq: number;
  readonly type: 'pause' | 'resume';
  readonly by: Actor;
  /** Resume: seq of the run's last event at the request. What a child reported later is not meant. */
  readonly seenSeq: number;
  /** Resume: pauses that the child had come to by this event of its log are lifted; 0: it had reported none. */
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

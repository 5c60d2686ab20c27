import type {
  EventsRequest,
  ForkPlace,
  JsonValue,
  ListGatesRequest,
  ListRunsRequest,
  RunRecord,
  RunStep,
  StreamRequest,
} from '../engine/index.js';
import type { ForkDefinition } from '../engine/vocabulary.js';

export interface StartOptions {
  /** Wait until the run is completed, paused or failed. Default false. */
  readonly sync?: boolean;
  /** A repetition of the request with the same key returns the run that the first one made. Default: none. */
  readonly idempotencyKey?: string;
  /** Labels to find the run by. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** One run of a batch: all that a start by itself has but `sync`. */
export interface BatchedStart<Input extends object = object> extends Omit<StartOptions, 'sync'> {
  /** The first keys of its shared state. Default: none. */
  readonly input?: Input;
}

/** Options of `as`. */
export interface AsOptions {
  /** Where they act. Default: the only namespace that is granted, else `default`. */
  readonly namespace?: string;
}

export interface StartBatchOptions {
  /** Once it is aborted, nothing further is begun: what is left is refused with its reason. Default: nothing aborts it. */
  readonly signal?: AbortSignal;
}

export interface ResumeOptions {
  /** A checkpoint to go back to. Default: the run continues where it is. */
  readonly snapshotId?: string;
  /** What the run may use from now on, instead of what its document says; what is left out stays. Default: as before. */
  readonly budget?: { readonly maxTokens?: number; readonly maxCost?: number };
  readonly idempotencyKey?: string;
}

/** Options of `cancel` and `pause`. */
export interface StopOptions {
  /** Who requests it, for audit. Default `user`. */
  readonly by?: string;
  readonly idempotencyKey?: string;
}

export interface Decision {
  readonly approved: boolean;
  /** Who decided, for audit. Default `user`. */
  readonly responder?: string;
  readonly comment?: string;
  /** The gate, if several are open. */
  readonly gateId?: number;
  readonly idempotencyKey?: string;
}

/** What is absent is as in the run that is forked. */
export interface ForkOptions {
  /** The fork begins after a checkpoint, or just before a unit was scheduled for the n-th time. Default: from the start. */
  readonly from?: ForkPlace;
  /** The fork's input, instead of the run's. */
  readonly input?: object;
  /** Values that override keys of the shared state. */
  readonly state?: object;
  /** The input of the unit at which the fork begins. */
  readonly unitInput?: JsonValue;
  /** Default `pinned`: the definition of the run. */
  readonly definition?: ForkDefinition;
  /** Labels to find the fork by. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Wait until the fork is completed, paused or failed. Default false. */
  readonly sync?: boolean;
  /** Who requests it, for audit. Default `user`. */
  readonly by?: string;
  readonly idempotencyKey?: string;
}

/** A filter that is absent does not restrict the list. */
export type RunQuery = Omit<ListRunsRequest, 'namespace'>;
export type GateQuery = Omit<ListGatesRequest, 'namespace'>;
export type EventsQuery = Omit<EventsRequest, 'namespace' | 'workflowId' | 'runId'>;
export type StreamOptions = Omit<StreamRequest, 'namespace' | 'workflowId' | 'runId'>;

/** What `observe` emits: every step of the run, and its record when it has stopped. */
export type RunUpdate =
  | { readonly type: 'step'; readonly step: RunStep }
  | { readonly type: 'stopped'; readonly record: RunRecord };

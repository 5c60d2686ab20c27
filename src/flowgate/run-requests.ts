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

export interface StartOptions {
  /** Wait until the run is completed, paused or failed. Default false. */
  readonly sync?: boolean;
  /** The same key with the same request answers with the run that the first one made. Default: none. */
  readonly idempotencyKey?: string;
  /** To find the run by. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface ResumeOptions {
  /** A checkpoint to go back to. Default: the run goes on where it is. */
  readonly snapshotId?: string;
  /** What the run may use from now on, in place of what its document says; what is left out stays. Default: as before. */
  readonly budget?: { readonly maxTokens?: number; readonly maxCost?: number };
  readonly idempotencyKey?: string;
}

/** Of `cancel` and `pause`. */
export interface StopOptions {
  /** Who asks for it, for audit. Default `user`. */
  readonly by?: string;
  readonly idempotencyKey?: string;
}

export interface Decision {
  readonly approved: boolean;
  /** Who decided, for audit. Default `user`. */
  readonly responder?: string;
  readonly comment?: string;
  /** Which gate, when several are open. */
  readonly gateId?: number;
  readonly idempotencyKey?: string;
}

/** What is absent is as it was in the run that is forked. */
export interface ForkOptions {
  /** After a checkpoint, or just before a unit was scheduled for the n-th time. Default: from the start. */
  readonly from?: ForkPlace;
  /** In place of the run's input. */
  readonly input?: object;
  /** Laid over the shared state. */
  readonly state?: object;
  /** What the unit at which the fork begins is given. */
  readonly unitInput?: JsonValue;
  /** Default `pinned`: the definition of the run. */
  readonly definition?: 'pinned' | 'current';
  /** To find the fork by. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Wait until the fork is completed, paused or failed. Default false. */
  readonly sync?: boolean;
  /** Who asks for it, for audit. Default `user`. */
  readonly by?: string;
  readonly idempotencyKey?: string;
}

/** What is absent does not matter. */
export type RunQuery = Omit<ListRunsRequest, 'namespace'>;
export type GateQuery = Omit<ListGatesRequest, 'namespace'>;
export type EventsQuery = Omit<EventsRequest, 'namespace' | 'workflowId' | 'runId'>;
export type StreamOptions = Omit<StreamRequest, 'namespace' | 'workflowId' | 'runId'>;

/** What `observe` tells: every step that the run does, and how it stands when it has stopped. */
export type RunUpdate =
  | { readonly type: 'step'; readonly step: RunStep }
  | { readonly type: 'stopped'; readonly record: RunRecord };

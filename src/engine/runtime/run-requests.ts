import type { JsonObject, JsonValue } from '../core/json.js';
import type { Actor } from '../core/log/actor.js';
import type {
  EventView,
  ForkDefinition,
  GateStatus,
  RunOrigin,
  RunStatus,
  SyncUntil,
} from '../vocabulary.js';
import type { AccessScope } from '../ports/access/policy.js';
import type { RunAddress } from './reading/run-reader.js';
import type { Waiting } from './streams/completion-waiters.js';

/** A filter that is absent lets everything pass. */
export interface ListRunsRequest {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  /** Of which workflows it tells. Default: of all. */
  readonly scope?: AccessScope | undefined;
  readonly workflowId?: string | undefined;
  /** Any of them. */
  readonly status?: readonly RunStatus[] | undefined;
  /** All of them; at most 3. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Epoch ms, inclusive. */
  readonly createdAfter?: number | undefined;
  /** Epoch ms, exclusive. */
  readonly createdBefore?: number | undefined;
  readonly openGate?: true | undefined;
  readonly gateUnit?: string | undefined;
  readonly cancelled?: boolean | undefined;
  readonly origin?: RunOrigin | undefined;
  readonly forkedFrom?: string | undefined;
  /** The run that they are children of. */
  readonly parent?: string | undefined;
  readonly definitionHash?: string | undefined;
  /** The beginning of the run id. */
  readonly idPrefix?: string | undefined;
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface ListGatesRequest {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  /** Of which workflows it tells. Default: of all. */
  readonly scope?: AccessScope | undefined;
  /** Default `open`. */
  readonly status?: GateStatus | undefined;
  /** Default: gates of any workflow. */
  readonly workflowId?: string | undefined;
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

/** Where a fork begins: after a checkpoint, or just before a unit was scheduled for the n-th time (default: the first). */
export type ForkPlace =
  { readonly snapshotId: string } | { readonly unitId: string; readonly occurrence?: number | undefined };

export interface ForkRequest extends RunAddress, Waiting {
  /** Default: from the start of the run. */
  readonly from?: ForkPlace | undefined;
  /** Replaces the run's input. Default: the same input. */
  readonly input?: JsonObject | undefined;
  /** Laid over the shared state. Default: nothing. */
  readonly state?: JsonObject | undefined;
  /** What the unit at which the fork begins is given, in place of what its `with` says. */
  readonly unitInput?: JsonValue | undefined;
  /** Default `pinned`: the definition of the run. */
  readonly definition?: ForkDefinition | undefined;
  /** Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Wait until the fork is completed, paused or failed. Default false. */
  readonly sync?: boolean | undefined;
  /** When a fork with `sync` is answered: `gate`, at an open gate too, then possibly `running`. Default `stop`. */
  readonly syncUntil?: SyncUntil | undefined;
  /** Default: somebody in this process. */
  readonly by?: Actor | undefined;
  /** Whose share of the threads it takes where its input is long to check. Default: that of the workflow. */
  readonly caller?: string | undefined;
  readonly idempotencyKey?: string | null | undefined;
  /** As for a start. */
  readonly keyOwner?: string | undefined;
}

export interface EventsRequest extends RunAddress {
  /** Default 0: from the start. */
  readonly afterSeq?: number | undefined;
  /** 1 to 1,000; default 100. */
  readonly limit?: number | undefined;
  /** How many of the last events are requested, in place of `afterSeq`; 1 to 1,000. */
  readonly tail?: number | undefined;
  /** Default `public`. */
  readonly view?: EventView | undefined;
}

export interface EventRequest extends RunAddress {
  readonly seq: number;
  readonly view?: EventView | undefined;
}

export interface StreamRequest extends RunAddress {
  /** `seq` of the last one that was seen. Default 0. */
  readonly afterSeq?: number | undefined;
  readonly view?: EventView | undefined;
  /** Streams are read for one after another, in rounds of callers. Default: one for all that give none. */
  readonly caller?: string | undefined;
  /** Ends it early, without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** As `StreamRequest`, of the steps of the run: they end at a pause, too. */
export type FollowRequest = Omit<StreamRequest, 'view' | 'caller'>;

export interface StreamAllRequest {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  /** Of which workflows it tells. Default: of all. */
  readonly scope?: AccessScope | undefined;
  /** `id` of the last one that was seen. Default: from now. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ImportRequest {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  /** What an export gave, as it was: NDJSON in UTF-8, at most 16 MiB. */
  readonly ndjson: Uint8Array;
  readonly by?: Actor | undefined;
  /** Called with the id of the workflow before anything is kept: what it throws refuses the run. */
  readonly admit?: ((workflowId: string) => Promise<void>) | undefined;
}

import type { CallOptions } from '../options.js';
import type { RunOrigin } from '../types/lists.js';
import type { RunStatus } from '../types/records.js';
import type { WatchBounds } from './watches.js';

/** Epoch ms, a `Date`, or a text of RFC 3339 such as `2026-11-01T00:00:00Z`. */
export type Instant = number | string | Date;

/** What the runs of a list have in common; what is left out does not matter. */
export interface RunFilter {
  readonly workflowId?: string | undefined;
  /** Any of them. */
  readonly status?: RunStatus | readonly RunStatus[] | undefined;
  /** All of them; at most 3. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Inclusive. */
  readonly createdAfter?: Instant | undefined;
  /** Exclusive. */
  readonly createdBefore?: Instant | undefined;
  /** At least one gate waits for a decision. */
  readonly openGate?: true | undefined;
  /** Such a gate is of this unit. */
  readonly gateUnit?: string | undefined;
  readonly cancelled?: boolean | undefined;
  readonly origin?: RunOrigin | undefined;
  /** The run that they are forks of. */
  readonly forkedFrom?: string | undefined;
  /** The run that they are children of. */
  readonly parent?: string | undefined;
  readonly definitionHash?: string | undefined;
  /** How their ids begin. */
  readonly idPrefix?: string | undefined;
}

/** What gates of a list have in common. */
export interface GateFilter {
  /** Default `open`. */
  readonly status?: 'open' | 'decided' | undefined;
  readonly workflowId?: string | undefined;
}

export interface PageOptions extends CallOptions {
  /** Items on the page, 1 to 200. Default 50. */
  readonly limit?: number | undefined;
  /** `next` of the page before. Default: from the newest on. */
  readonly cursor?: string | undefined;
}

export interface ListRunsOptions extends RunFilter, PageOptions {}

export interface ListGatesOptions extends GateFilter, PageOptions {}

export interface WatchRunsOptions extends RunFilter, WatchBounds {
  /** Items of the snapshot, 1 to 200. Default 50. */
  readonly limit?: number | undefined;
}

export interface WatchGatesOptions extends GateFilter, WatchBounds {
  /** Items of the snapshot, 1 to 200. Default 50. */
  readonly limit?: number | undefined;
}

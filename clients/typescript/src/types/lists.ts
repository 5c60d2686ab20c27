import type { JsonValue } from './json.js';
import type { Compensation, RunStatus, WaitingFor } from './records.js';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** `cursor` of the next page; null at the end. Until then a page may be short, or empty. */
  readonly next: string | null;
}

/** What made a run. */
export type RunOrigin = 'client' | 'fork' | 'schedule' | 'bulk' | 'child' | 'import';

/** What lists say of a run. */
export interface RunItem {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: RunStatus;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly updatedAt: number;
  /** Epoch ms; null: it has not ended. */
  readonly endedAt: number | null;
  /** Ms of time not paused; null of runs that ended before lists knew of it. */
  readonly duration: number | null;
  readonly tokenUsage: number | null;
  /** In the currency that the units report. */
  readonly cost: number | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly origin: RunOrigin;
  /** The run that it is a fork of; null: of none. */
  readonly forkedFrom: string | null;
  /** The run that it is a child of; null: of none. */
  readonly parentRunId: string | null;
  readonly definitionHash: string;
  readonly cancelled: boolean;
  /** Why it failed, at most 1,000 characters; null: it did not. */
  readonly error: string | null;
  /** What became of what other units undo; null: nothing is, or was, to be undone, or it ended before lists knew of it. */
  readonly compensation: Compensation | null;
  /** What has to happen first; null: it has ended. */
  readonly waitingFor: WaitingFor | null;
  /** The oldest 20 that wait for a decision. */
  readonly openGates: readonly GateSummary[];
}

export interface GateSummary {
  /** What `gateId` of a decision names. */
  readonly gateId: number;
  readonly unitId: string;
  /** At most 200 characters. */
  readonly title: string;
  /** The title is longer, and truncated here. Absent: it is whole. */
  readonly titleCut?: true;
  /** Epoch ms. */
  readonly openedAt: number;
  /** Epoch ms at which its time is up; absent: it waits as long as it takes. */
  readonly dueAt?: number;
}

/** One gate, of any run. */
export interface GateItem extends GateSummary {
  readonly runId: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  /** Where it is in the document: a JSON pointer. */
  readonly path: string;
  /** At most 1,000 characters; null: nothing. */
  readonly description: string | null;
  /** The description is longer, and truncated here. Absent: it is whole. */
  readonly descriptionCut?: true;
  readonly payload: JsonValue;
  /** The payload is too large for a list, and null here. */
  readonly payloadCut?: true;
  readonly onReject: 'fail' | 'continue';
  /** Absent: it waits. */
  readonly decision?: GateDecision;
}

export interface GateDecision {
  readonly approved: boolean;
  readonly responder: string;
  /** Epoch ms. */
  readonly decidedAt: number;
  readonly comment: string | null;
}

export interface GatePage extends Page<GateItem> {
  /** How many wait for a decision, of the requested workflow or of all. */
  readonly open: number;
}

/**
 * What became of an item of a list that is watched. `snapshot` comes first, and again wherever the connection was lost: it
 * says all that the first page holds, and replaces what was sent before.
 */
export type ListChange<Item> =
  | { readonly type: 'snapshot'; readonly items: readonly Item[]; readonly next: string | null }
  | { readonly type: 'upsert'; readonly item: Item }
  | { readonly type: 'remove'; readonly runId: string; readonly gateId?: number };

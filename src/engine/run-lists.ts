import type { JsonValue } from './core/json.js';
import type { CompensationSummary } from './core/state/debts/compensation-summary.js';
import type { ON_REJECT, RunOrigin, RunStatus, WaitingFor } from './vocabulary.js';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** `cursor` of the next page; null at the end. Until then a page may be short, or empty. */
  readonly next: string | null;
}

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
  /** Ms of time not paused; null for runs that ended before lists had it. */
  readonly duration: number | null;
  readonly tokenUsage: number | null;
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
  /** What became of what other units undo; null: nothing is, or was, to be undone, or it ended before lists had it. */
  readonly compensation: CompensationSummary | null;
  /** What the run waits for; null: it has ended. */
  readonly waitingFor: WaitingFor | null;
  /** The oldest 20 that wait for a decision. */
  readonly openGates: readonly ListedGateSummary[];
}

export interface ListedGateSummary {
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
export interface GateItem extends ListedGateSummary {
  readonly runId: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  /** Where it stands in the document: a JSON pointer. */
  readonly path: string;
  /** At most 1,000 characters; null: nothing. */
  readonly description: string | null;
  /** The description is longer, and truncated here. Absent: it is whole. */
  readonly descriptionCut?: true;
  readonly payload: JsonValue;
  /** It takes more than 64 KiB as JSON, in a list that is watched 4 KiB, and is left out here. Absent: it is whole. */
  readonly payloadCut?: true;
  readonly onReject: (typeof ON_REJECT)[number];
  /** Absent: it waits. */
  readonly decision?: GateDecisionItem;
}

export interface GateDecisionItem {
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

/** A change to a list that is watched. `snapshot` comes first, with all items of one page. */
export type ListChange<Item> =
  | { readonly type: 'snapshot'; readonly items: readonly Item[]; readonly next: string | null }
  | { readonly type: 'upsert'; readonly item: Item }
  | { readonly type: 'remove'; readonly runId: string; readonly gateId?: number };

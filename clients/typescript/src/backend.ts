import type { ForkPlace } from './options/forks.js';
import type { GatesRequest, Labels, PageRequest, RunsRequest } from './list-requests.js';
import type { RunBudget } from './options.js';
import type { AnsweredOnce, SyncUntil } from './types/sync-until.js';
import type { ApiKey, AuditItem, KeyGrant, MadeKey, WhoAmI } from './types/access.js';
import type { UsesBindings } from './types/bindings.js';
import type { StartedOrRefused } from './types/batches.js';
import type { EventPage, EventView, RunEvent, WatchedEvent } from './types/events.js';
import type { GateItem, GatePage, ListChange, Page, RunItem } from './types/lists.js';
import type { Health, MemorySearch, MessagePage, RecordView, RunRecord } from './types/records.js';
import type { Snapshot, SnapshotPage } from './types/snapshots.js';
import type { UnitHandler } from './types/units.js';
import type {
  WorkflowCheck,
  WorkflowDiff,
  WorkflowItem,
  WorkflowVersion,
  WorkflowVersionDetails,
} from './types/versions.js';

export interface RunAddress {
  readonly workflowId: string;
  readonly runId: string;
}

interface Keyed {
  readonly idempotencyKey: string | undefined;
}

/** What keeps a watch going over a bad line. */
export interface Watching {
  readonly signal: AbortSignal;
  /** How long it may take until a lost connection is there again; `Infinity`: as long as it takes. */
  readonly timeoutMs: number;
  readonly maxSilenceMs: number;
}

export interface ListBackend {
  runs(request: RunsRequest, signal: AbortSignal): Promise<Page<RunItem>>;
  gates(request: GatesRequest, signal: AbortSignal): Promise<GatePage>;
  watchRuns(request: RunsRequest, watching: Watching): AsyncIterable<ListChange<RunItem>>;
  watchGates(request: GatesRequest, watching: Watching): AsyncIterable<ListChange<GateItem>>;
}

export interface EventBackend {
  page(
    request: RunAddress & {
      readonly afterSeq: number | undefined;
      readonly limit: number | undefined;
      readonly tail: number | undefined;
      readonly view: EventView | undefined;
    },
    signal: AbortSignal,
  ): Promise<EventPage>;
  one(
    request: RunAddress & { readonly seq: number; readonly view: EventView | undefined },
    signal: AbortSignal,
  ): Promise<RunEvent>;
  watchRun(
    request: RunAddress & { readonly afterSeq: number; readonly view: EventView | undefined },
    watching: Watching,
  ): AsyncIterable<RunEvent>;
  watchAll(request: { readonly after: string | undefined }, watching: Watching): AsyncIterable<WatchedEvent>;
}

export interface SnapshotBackend {
  page(request: PageRequest & RunAddress, signal: AbortSignal): Promise<SnapshotPage>;
  one(request: RunAddress & { readonly snapshotId: string }, signal: AbortSignal): Promise<Snapshot>;
}

export interface TransferBackend {
  /** Its lines, each with its line break. */
  exported(address: RunAddress, watching: Pick<Watching, 'signal' | 'maxSilenceMs'>): AsyncIterable<string>;
  imported(ndjson: Uint8Array, signal: AbortSignal): Promise<RunRecord>;
}

export interface VersionBackend {
  workflows(signal: AbortSignal): Promise<readonly WorkflowItem[]>;
  remove(request: { readonly workflowId: string }, signal: AbortSignal): Promise<void>;
  read(
    request: { readonly workflowId: string; readonly hash: string | undefined },
    signal: AbortSignal,
  ): Promise<WorkflowVersionDetails>;
  list(
    request: PageRequest & { readonly workflowId: string },
    signal: AbortSignal,
  ): Promise<Page<WorkflowVersion>>;
  diff(
    request: { readonly workflowId: string; readonly from: string; readonly to: string },
    signal: AbortSignal,
  ): Promise<WorkflowDiff>;
  check(
    request: { readonly yaml: string; readonly bindings: UsesBindings | undefined },
    signal: AbortSignal,
  ): Promise<WorkflowCheck>;
}

export interface AccessBackend {
  whoami(signal: AbortSignal): Promise<WhoAmI>;
  makeKey(
    request: {
      readonly owner: string | undefined;
      readonly name: string | undefined;
      readonly groups: readonly string[] | undefined;
      readonly grants: readonly KeyGrant[] | undefined;
      readonly expiresAt: number | undefined;
    },
    signal: AbortSignal,
  ): Promise<MadeKey>;
  keys(
    request: PageRequest & { readonly owner: string | undefined },
    signal: AbortSignal,
  ): Promise<Page<ApiKey>>;
  rotateKey(
    request: { readonly id: string; readonly overlapMs: number | undefined },
    signal: AbortSignal,
  ): Promise<MadeKey>;
  revokeKey(request: { readonly id: string }, signal: AbortSignal): Promise<void>;
  revokeOwner(request: { readonly owner: string }, signal: AbortSignal): Promise<void>;
  audit(
    request: PageRequest & {
      readonly owner: string | undefined;
      readonly action: string | undefined;
      readonly runId: string | undefined;
      readonly after: number | undefined;
      readonly before: number | undefined;
    },
    signal: AbortSignal,
  ): Promise<Page<AuditItem>>;
}

/** What the client asks of a service or of an engine. All rejections are errors of the client; `signal` ends the work. */
export interface Backend {
  readonly lists: ListBackend;
  readonly events: EventBackend;
  readonly snapshots: SnapshotBackend;
  readonly transfer: TransferBackend;
  readonly versions: VersionBackend;
  readonly access: AccessBackend;
  register(
    request: { readonly yaml: string; readonly bindings: UsesBindings | undefined },
    signal: AbortSignal,
  ): Promise<{ readonly workflowId: string }>;
  start(
    request: Keyed & {
      readonly workflowId: string;
      readonly input: object;
      readonly labels: Labels | undefined;
      readonly sync: boolean;
      readonly syncUntil: SyncUntil | undefined;
    },
    signal: AbortSignal,
  ): Promise<RunRecord>;
  /** In the order of the request. */
  startBatch(
    request: {
      readonly workflowId: string;
      readonly runs: readonly (Keyed & { readonly input: object; readonly labels: Labels | undefined })[];
    },
    signal: AbortSignal,
  ): Promise<readonly StartedOrRefused[]>;
  get(
    request: RunAddress & { readonly view: RecordView | undefined },
    signal: AbortSignal,
  ): Promise<RunRecord>;
  /** Reads a run of whichever workflow. */
  getById(
    request: { readonly runId: string; readonly view: RecordView | undefined },
    signal: AbortSignal,
  ): Promise<RunRecord>;
  resume(
    request: RunAddress &
      Keyed & {
        readonly snapshotId: string | undefined;
        readonly budget: RunBudget | undefined;
        readonly syncUntil: AnsweredOnce | undefined;
      },
    signal: AbortSignal,
  ): Promise<RunRecord>;
  cancel(request: RunAddress & Keyed & { readonly by: string }, signal: AbortSignal): Promise<RunRecord>;
  pause(request: RunAddress & Keyed & { readonly by: string }, signal: AbortSignal): Promise<RunRecord>;
  compensate(request: RunAddress & Keyed & { readonly by: string }, signal: AbortSignal): Promise<RunRecord>;
  respond(
    request: RunAddress &
      Keyed & {
        readonly approved: boolean;
        readonly responder: string;
        readonly gateId: number | undefined;
        readonly comment: string | undefined;
        readonly syncUntil: AnsweredOnce | undefined;
      },
    signal: AbortSignal,
  ): Promise<RunRecord>;
  fork(
    request: RunAddress &
      Keyed & {
        readonly from: ForkPlace | undefined;
        readonly input: object | undefined;
        readonly state: object | undefined;
        readonly unitInput: unknown;
        readonly definition: 'pinned' | 'current' | undefined;
        readonly labels: Labels | undefined;
        readonly sync: boolean;
        readonly syncUntil: SyncUntil | undefined;
      },
    signal: AbortSignal,
  ): Promise<RunRecord>;
  messages(
    request: RunAddress & { readonly after: string | undefined; readonly limit: number | undefined },
    signal: AbortSignal,
  ): Promise<MessagePage>;
  search(
    request: { readonly query: string; readonly topK: number },
    signal: AbortSignal,
  ): Promise<MemorySearch>;
  health(signal: AbortSignal): Promise<Health>;
  registerUnit(uses: string, handler: UnitHandler): void;
  close(): Promise<void>;
  /** The sentence for a call that took too long. */
  silence(timeoutMs: number): string;
}

import type { GatesRequest, Labels, RunsRequest } from '../list-requests.js';
import type { EventPage, EventView, RunEvent } from '../types/events.js';
import type { GateItem, GatePage, ListChange, Page, RunItem } from '../types/lists.js';
import type { RunMessage } from '../types/messages.js';
import type { FullRunRecord, RunRecord } from '../types/records.js';
import type { Snapshot, SnapshotItem } from '../types/snapshots.js';
import type { AnsweredOnce, SyncUntil } from '../types/sync-until.js';
import type { UnitHandler } from '../types/units.js';
import type {
  DocumentWarning,
  WorkflowDiff,
  WorkflowItem,
  WorkflowVersion,
  WorkflowVersionDetails,
} from '../types/versions.js';

interface Address {
  readonly workflowId: string;
  readonly runId: string;
}

interface Keyed {
  readonly idempotencyKey?: string | undefined;
}

/** Somebody of whom a name alone is known. */
interface Claimed {
  readonly id: string;
  readonly owner: null;
  readonly via: 'in-process';
  readonly auth: 'none';
}

interface Left {
  readonly signal: AbortSignal;
}

/** What the client needs of an `Engine` of `flowgate/engine`: the package's own, or a wrapper of it. */
export interface EngineLike {
  readonly isClosing: boolean;
  readonly workflows: {
    register(request: { readonly yaml: string; readonly bindings?: unknown }): Promise<{
      readonly workflowId: string;
    }>;
    unregister(workflowId: string): Promise<void>;
    has(workflowId: string): Promise<boolean>;
    list(): Promise<readonly WorkflowItem[]>;
    check(request: { readonly yaml: string; readonly bindings?: unknown }): Promise<{
      readonly workflowId: string;
      readonly warnings: readonly string[];
      readonly warningDetails?: readonly DocumentWarning[];
    }>;
    read(request: { workflowId: string; hash: string | undefined }): Promise<WorkflowVersionDetails | null>;
    versions(request: {
      workflowId: string;
      limit: number | undefined;
      cursor: string | undefined;
    }): Promise<Page<WorkflowVersion>>;
    diff(request: { workflowId: string; from: string; to: string }): Promise<WorkflowDiff | null>;
  };
  readonly runs: {
    // `never`: an engine's own types are of JSON alone, which an interface of yours need not be.
    start(
      request: Keyed & {
        workflowId: string;
        input: never;
        labels?: Labels | undefined;
        sync: boolean;
        syncUntil?: SyncUntil | undefined;
      },
    ): Promise<RunRecord>;
    startBatch(
      request: Left & {
        workflowId: string;
        runs: readonly (Keyed & { input: never; labels?: Labels | undefined })[];
      },
    ): Promise<
      readonly (
        { readonly ok: true; readonly run: RunRecord } | { readonly ok: false; readonly error: unknown }
      )[]
    >;
    fork(
      request: Address &
        Keyed & {
          from: { snapshotId: string } | { unitId: string; occurrence?: number | undefined } | undefined;
          input: never;
          state: never;
          unitInput: never;
          definition: 'pinned' | 'current' | undefined;
          labels: Labels | undefined;
          sync: boolean;
          syncUntil: SyncUntil | undefined;
        },
    ): Promise<RunRecord>;
    /** Null: there is no such run. */
    locate(runId: string): Promise<Address | null>;
    list(request: RunsRequest): Promise<Page<RunItem>>;
    watch(request: RunsRequest & Left): AsyncIterable<ListChange<RunItem>>;
    events(
      request: Address & {
        afterSeq: number | undefined;
        limit: number | undefined;
        tail: number | undefined;
        view: EventView | undefined;
      },
    ): Promise<EventPage>;
    event(request: Address & { seq: number; view: EventView | undefined }): Promise<RunEvent | null>;
    position(address: Address): Promise<number>;
    newestSnapshots(request: Address & { beforeSeq: number | undefined; limit: number }): Promise<{
      readonly snapshots: readonly SnapshotItem[];
      readonly next: number | null;
    }>;
    snapshot(request: Address & { snapshotId: string }): Promise<Snapshot>;
    stream(
      request: Address & Left & { afterSeq: number; view: EventView | undefined },
    ): AsyncIterable<RunEvent>;
    streamAll(
      request: Left & { after: string | undefined },
    ): AsyncIterable<{ readonly id: string; readonly event: RunEvent }>;
    export(address: Address): AsyncIterable<string>;
    import(request: { ndjson: Uint8Array }): Promise<RunRecord>;
    get(address: Address): Promise<RunRecord>;
    full(address: Address): Promise<FullRunRecord>;
    resume(
      request: Address &
        Keyed & {
          snapshotId?: string;
          budget?: { maxTokens?: number; maxCost?: number };
          syncUntil: AnsweredOnce | undefined;
        },
    ): Promise<RunRecord>;
    cancel(request: Address & Keyed & { by: Claimed }): Promise<RunRecord>;
    pause(request: Address & Keyed & { by: Claimed }): Promise<RunRecord>;
    compensate(request: Address & Keyed & { by: Claimed }): Promise<RunRecord>;
    messages(request: Address & { afterSeq: number; limit: number }): Promise<{
      readonly messages: readonly RunMessage[];
      readonly next: number | null;
    }>;
  };
  readonly gates: {
    list(request: GatesRequest): Promise<GatePage>;
    watch(request: GatesRequest & Left): AsyncIterable<ListChange<GateItem>>;
    respond(
      request: Address &
        Keyed & {
          approved: boolean;
          responder: string;
          gateId?: number;
          comment?: string;
          syncUntil: AnsweredOnce | undefined;
        },
    ): Promise<RunRecord>;
  };
  open(): Promise<void>;
  close(): Promise<void>;
  health(): Promise<{ readonly store: string }>;
  registerUnit(uses: string, handler: UnitHandler): void;
}

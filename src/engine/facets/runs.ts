import type { Actor } from '../core/log/actor.js';
import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import { HISTORY_PAGE } from '../request-limits.js';
import type { RunStatus, SyncUntil } from '../vocabulary.js';
import type { Waiting } from '../runtime/streams/completion-waiters.js';
import type { PublicEvent, PublicEventPage } from '../public-events.js';
import type { ListChange, Page, RunItem } from '../run-lists.js';
import type { FullRunRecord, RunRecord, Snapshot, SnapshotSummary } from '../run-record.js';
import type { RunLists } from '../runtime/lists/run-lists.js';
import type {
  EventRequest,
  EventsRequest,
  FollowRequest,
  ForkRequest,
  ImportRequest,
  ListRunsRequest,
  StreamAllRequest,
  StreamRequest,
} from '../runtime/run-requests.js';
import type { AllEventsStream } from '../runtime/streams/all-events-stream.js';
import type { EventWithCursor } from '../runtime/streams/notified-entry.js';
import type { ListStream, WatchRequest } from '../runtime/watched-lists/list-stream.js';
import type { RunEventReader } from '../runtime/events/run-event-reader.js';
import type { RunEventPages, RunEvents, RunEventStream } from '../runtime/streams/run-event-stream.js';
import { checkWatchedRuns, watchedRuns } from '../runtime/watched-lists/watched-runs.js';
import type { FullRecords } from '../runtime/reading/full-records.js';
import type { EncodeRecord } from '../runtime/reading/records/ended-records.js';
import {
  RUN_MOMENTS,
  stepOf,
  type HookMoment,
  type RunMoment,
  type RunObserver,
  type RunStep,
} from './steps-and-changes.js';
import type { MessagePage, RunAddress, RunReader, SnapshotPage } from '../runtime/reading/run-reader.js';
import type {
  BatchedStartResult,
  BatchStarter,
  StartBatchRequest,
} from '../runtime/starting/batch-starter.js';
import type { RunForker } from '../runtime/starting/forks/run-forker.js';
import type { RunObservers } from './run-observers.js';
import type { RunExporter } from '../runtime/transfer/run-exporter.js';
import type { RunImporter } from '../runtime/transfer/run-importer.js';
import type { RunStarter, StartRequest } from '../runtime/starting/run-starter.js';
import type { ResumeRequest, RunSteering, StopRequest } from '../runtime/requests/run-steering.js';

/** How many messages or checkpoints a page holds by default. */
const PAGE_LIMIT = HISTORY_PAGE.usual;

interface PageOf extends RunAddress {
  /** `next` of the page before. Default: from the start. */
  readonly afterSeq?: number | undefined;
  /** Default 1,000. */
  readonly limit?: number | undefined;
}

export type WaitRequest = RunAddress & Waiting & { readonly syncUntil?: SyncUntil | undefined };

export type WatchRunsRequest = ListRunsRequest & WatchRequest;

/** The parts that do what the facet offers. */
export interface RunsParts {
  readonly starter: RunStarter;
  readonly batchStarter: BatchStarter;
  readonly steering: RunSteering;
  readonly reader: RunReader;
  readonly fullRecords: FullRecords;
  readonly observers: RunObservers;
  readonly runLists: RunLists;
  readonly forker: RunForker;
  readonly eventReader: RunEventReader;
  readonly eventStream: RunEventStream;
  readonly allEvents: AllEventsStream;
  readonly exporter: RunExporter;
  readonly importer: RunImporter;
  readonly listStream: ListStream;
}

/** `engine.runs`: starts runs, reads them, resumes them. */
export class Runs {
  constructor(private readonly parts: RunsParts) {}

  /** Throws an `UnknownWorkflowError`, an `InvalidInputError` or an `IdempotencyConflictError`. */
  start(request: StartRequest): Promise<RunRecord> {
    return this.parts.starter.start(request);
  }

  /**
   * Starts 1 to 1,000 runs of one workflow, each as `start` does without `sync`, and resolves with what became of each, in
   * their order: one that is refused stops no other. At most 64 of them, or about 1 MiB of input, are with the store at
   * once. Throws an `UnknownWorkflowError`, an `InvalidRequestError` or a `ShuttingDownError`; then nothing was started.
   */
  startBatch(request: StartBatchRequest): Promise<readonly BatchedStartResult[]> {
    return this.parts.batchStarter.start(request);
  }

  /** Throws an `UnknownRunError`, also for a run of another workflow. */
  get(address: RunAddress): Promise<RunRecord> {
    return this.parts.reader.record(address);
  }

  /**
   * The record with all that is known of the run, also of one that is running or has failed: its state, and where and why it
   * failed. Throws as `get` does; `locate` finds the address of a run of which only the id is known.
   */
  full(address: RunAddress): Promise<FullRunRecord> {
    return this.parts.fullRecords.read(address);
  }

  /**
   * As `get`, for callers that send a record's JSON: for a long run that is over it returns the bytes that `encode` made of
   * the record, which are kept in its place; for every other run the record.
   */
  encoded(address: RunAddress, encode: EncodeRecord): Promise<RunRecord | Uint8Array> {
    return this.parts.reader.encoded(address, encode);
  }

  /** Throws an `UnknownRunError` unless the workflow has the run. */
  assertExists(address: RunAddress): Promise<void> {
    return this.parts.reader.assertExists(address);
  }

  /** Where the run of this id is found, of whichever workflow it is; null: the namespace has none. */
  locate(runId: string, namespace = DEFAULT_NAMESPACE): Promise<RunAddress | null> {
    return this.parts.reader.locate(runId, namespace);
  }

  /** The seq of the newest entry of the run's log: `afterSeq` of what it does from now on. Throws an `UnknownRunError`. */
  position(address: RunAddress): Promise<number> {
    return this.parts.reader.position(address);
  }

  /** The run's status now. Throws an `UnknownRunError`. */
  async status(address: RunAddress): Promise<RunStatus> {
    return (await this.parts.reader.header(address)).status;
  }

  /**
   * Who started the run; for a run from before that was recorded, an actor whose `via` is `unknown`. Throws an
   * `UnknownRunError`.
   */
  startedBy(address: RunAddress): Promise<Actor> {
    return this.parts.reader.startedBy(address);
  }

  /** Throws an `UnknownRunError`, a `NoCheckpointError` or an `IdempotencyConflictError`. */
  resume(request: ResumeRequest): Promise<RunRecord> {
    return this.parts.steering.resume(request);
  }

  /**
   * Cancels the run: nothing new begins, attempts in flight are notified and have `cancelGraceMs` to end, the units of
   * `spec.onCancel` run, then the run has failed with `Cancelled by …`. Resolves once it has, or with the record as it is
   * after the wait of a resume. For a run that is over it resolves with the record as it is. Throws an `UnknownRunError` or
   * an `IdempotencyConflictError`.
   */
  cancel(request: StopRequest): Promise<RunRecord> {
    return this.parts.steering.cancel(request);
  }

  /**
   * Pauses the run until it is resumed: nothing new begins, attempts in flight have `cancelGraceMs` to end; those that have
   * not by then are called again, under the same key, when the run continues. Resolves and throws as `cancel` does.
   */
  pause(request: StopRequest): Promise<RunRecord> {
    return this.parts.steering.pause(request);
  }

  /**
   * The run's record once it is paused, completed or failed, or, with `syncUntil: gate`, has an open gate; or as it is once
   * that has taken longer than the wait of a resume. Throws an `UnknownRunError`.
   */
  async wait(request: WaitRequest): Promise<RunRecord> {
    await this.parts.reader.assertExists(request);
    return this.parts.steering.whenStopped(request, request, request.syncUntil ?? 'stop');
  }

  /**
   * Tries again each compensation of the run that failed, under its old key, from the last completion to the first; the run is
   * running meanwhile, and ends as it had ended. Resolves as `cancel` does. Throws an `UnknownRunError`, a
   * `NothingToCompensateError` where none has failed or the run is not over, or an `IdempotencyConflictError`.
   */
  compensate(request: StopRequest): Promise<RunRecord> {
    return this.parts.steering.compensate(request);
  }

  /**
   * What the run does, step by step, as it happens, from `afterSeq` on until it is paused or over. Leave the loop, or abort
   * the signal, and nothing of it is kept. Throws an `UnknownRunError` at the first step.
   */
  follow(request: FollowRequest): AsyncIterable<RunStep> {
    return this.parts.eventStream.follow(request, stepOf);
  }

  /**
   * Notifies `observer` of every run that this process starts, pauses or ends, once that is durable: at most once, and never
   * of what another process did. It is called between two turns, so it must not take long. Returns a function that removes
   * it. `moments`: which; default: `started`, `paused`, `completed` and `failed`.
   */
  observe<Moment extends HookMoment = RunMoment>(
    observer: RunObserver<Moment>,
    moments: readonly HookMoment[] = RUN_MOMENTS,
  ): () => void {
    return this.parts.observers.add(observer, moments as readonly Moment[]);
  }

  /** One page of the run's messages, oldest first; short or empty pages may come before the last. */
  messages(request: PageOf): Promise<MessagePage> {
    return this.parts.reader.messages(request, {
      afterSeq: request.afterSeq ?? 0,
      limit: request.limit ?? PAGE_LIMIT,
    });
  }

  /** One page of the run's checkpoints, oldest first; short or empty pages may come before the last. */
  snapshotPage(request: PageOf): Promise<SnapshotPage> {
    return this.parts.reader.snapshotPage(request, {
      afterSeq: request.afterSeq ?? 0,
      limit: request.limit ?? PAGE_LIMIT,
    });
  }

  /**
   * As `snapshotPage`, newest first. `beforeSeq`: `next` of the page before; default: from the end. `limit`: default 1,000.
   */
  newestSnapshots(
    request: RunAddress & { readonly beforeSeq?: number | undefined; readonly limit?: number | undefined },
  ): Promise<SnapshotPage> {
    return this.parts.reader.newestSnapshots(request, {
      beforeSeq: request.beforeSeq ?? null,
      limit: request.limit ?? PAGE_LIMIT,
    });
  }

  /** The runs that pass, newest first. Throws an `InvalidRequestError` for a cursor that is not of this list. */
  list(request: ListRunsRequest = {}): Promise<Page<RunItem>> {
    return this.parts.runLists.list(request);
  }

  /**
   * The list as it is, and its changes, until the signal fires or the loop is left: at most four changes a second, and where
   * more has changed the whole list again. Throws an `InvalidRequestError` at the first one, for a cursor too.
   */
  watch(request: WatchRunsRequest = {}): AsyncGenerator<ListChange<RunItem>, void, void> {
    const { listStream, runLists } = this.parts;
    return listStream.watch(() => watchedRuns(request, runLists), request);
  }

  /** Throws an `InvalidRequestError` where `watch` would. */
  checkWatch(request: ListRunsRequest): void {
    checkWatchedRuns(request);
  }

  /**
   * Starts a new run from a point of this one, which stays as it is. Throws an `UnknownRunError`, a `NoCheckpointError`, a
   * `UnitNotReachedError`, a `DecidedGateError`, an `IncompatibleDefinitionError`, an `InvalidInputError`, an
   * `InvalidRequestError` or an `IdempotencyConflictError`.
   */
  fork(request: ForkRequest): Promise<RunRecord> {
    return this.parts.forker.fork(request);
  }

  /** One page of what the run did, oldest first. Throws an `UnknownRunError` or an `InvalidRequestError`. */
  events(request: EventsRequest): Promise<PublicEventPage> {
    return this.parts.eventReader.events(request);
  }

  /** One event, whole; null: there is none of that seq, or it has no public form. Throws an `UnknownRunError`. */
  event(request: EventRequest): Promise<PublicEvent | null> {
    return this.parts.eventReader.event(request);
  }

  /**
   * What the run does, as it happens, until it is over and all of it was delivered: it returns how the run ended then, and
   * null where it ended before. Throws an `UnknownRunError` at the first one. Leave the loop, and nothing of it is kept.
   */
  stream(request: StreamRequest): RunEvents {
    return this.parts.eventStream.stream(request);
  }

  /** As `stream`, with all available events at once. */
  streamPages(request: StreamRequest): RunEventPages {
    return this.parts.eventStream.pages(request);
  }

  /**
   * What all runs of the namespace do from now on, or after an event that was seen; under load somewhat later. Throws an
   * `InvalidRequestError` at the first one for an `after` that `knowsEvent` does not know.
   */
  streamAll(request: StreamAllRequest = {}): AsyncGenerator<EventWithCursor, void, void> {
    return this.parts.allEvents.stream(request);
  }

  /** As `streamAll`, with all available events at once. */
  streamAllPages(request: StreamAllRequest = {}): AsyncGenerator<readonly EventWithCursor[], void, void> {
    return this.parts.allEvents.pages(request);
  }

  /** The id after which a stream of all runs continues that begins now. */
  latestEvent(): Promise<string> {
    return this.parts.allEvents.now();
  }

  /** Whether a stream of all runs can continue after the event of that id. */
  knowsEvent(id: string): Promise<boolean> {
    return this.parts.allEvents.knows(id);
  }

  /**
   * The lines of the run's export, each with its line break: its workflow without endpoints and headers, its log up to now,
   * and a checksum. Throws an `UnknownRunError` with the first line.
   */
  export(address: RunAddress): AsyncIterable<string> {
    return this.parts.exporter.lines(address);
  }

  /**
   * Imports a run that was exported. What of it was over stays as it was, what was not is cancelled; it never continues, and
   * can be forked. Throws an `InvalidRequestError`, a `KnownRunError`, a `YamlValidationError`, a `YamlLoadError`, a
   * `RegistryFullError`, a `BusyError` or a `ShuttingDownError`.
   */
  import(request: ImportRequest): Promise<RunRecord> {
    return this.parts.importer.import(request);
  }

  /** All checkpoints, oldest first: for a run that may be long use `snapshotPage`. */
  snapshots(address: RunAddress): Promise<readonly SnapshotSummary[]> {
    return this.parts.reader.snapshots(address);
  }

  /** Throws a `NoCheckpointError` for an id that is no checkpoint of the run. */
  snapshot(request: RunAddress & { readonly snapshotId: string }): Promise<Snapshot> {
    return this.parts.reader.snapshot(request, request.snapshotId);
  }
}

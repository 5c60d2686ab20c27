import type { Actor } from '../core/log/actor.js';
import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { RunRecord, Snapshot, SnapshotSummary } from '../run-record.js';
import type { EncodeRecord } from '../runtime/requests/ended-records.js';
import type { FollowRequest, RunFollower } from '../runtime/requests/run-follower.js';
import type { RunStep } from '../runtime/requests/run-step.js';
import type { MessagePage, RunAddress, RunReader, SnapshotPage } from '../runtime/requests/run-reader.js';
import type { RunObserver, RunObservers } from '../runtime/run-observers.js';
import type { RunStarter, StartRequest } from '../runtime/requests/run-starter.js';
import type { ResumeRequest, RunSteering, StopRequest } from '../runtime/requests/run-steering.js';

/** How many messages or checkpoints a page holds unless somebody says otherwise. */
const PAGE_LIMIT = 1_000;

interface PageOf extends RunAddress {
  /** `next` of the page before. Default: from the start. */
  readonly afterSeq?: number | undefined;
  /** Default 1,000. */
  readonly limit?: number | undefined;
}

/** `engine.runs`: starts runs, reads them, resumes them. */
export class Runs {
  constructor(
    private readonly starter: RunStarter,
    private readonly steering: RunSteering,
    private readonly reader: RunReader,
    private readonly follower: RunFollower,
    private readonly observers: RunObservers,
  ) {}

  /** Throws an `UnknownWorkflowError`, an `InvalidInputError` or an `IdempotencyConflictError`. */
  start(request: StartRequest): Promise<RunRecord> {
    return this.starter.start(request);
  }

  /** Throws an `UnknownRunError`, also for a run of another workflow. */
  get(address: RunAddress): Promise<RunRecord> {
    return this.reader.record(address);
  }

  /**
   * As `get`, for whoever answers with a record's JSON: of a long run that is over the bytes that `encode` made of it,
   * which are kept in its place. Of every other the record.
   */
  encoded(address: RunAddress, encode: EncodeRecord): Promise<RunRecord | Uint8Array> {
    return this.reader.encoded(address, encode);
  }

  /** Throws an `UnknownRunError` unless the workflow has the run. */
  assertExists(address: RunAddress): Promise<void> {
    return this.reader.assertExists(address);
  }

  /** Where the run of this id is found, of whichever workflow it is; null: the namespace has none. */
  locate(runId: string, namespace = DEFAULT_NAMESPACE): Promise<RunAddress | null> {
    return this.reader.locate(runId, namespace);
  }

  /** The place of the newest entry of the run's log: `afterSeq` of what it does from now on. Throws an `UnknownRunError`. */
  position(address: RunAddress): Promise<number> {
    return this.reader.position(address);
  }

  /**
   * Who started the run; of one from before that was recorded, somebody whose `via` is `unknown`. Throws an
   * `UnknownRunError`.
   */
  startedBy(address: RunAddress): Promise<Actor> {
    return this.reader.startedBy(address);
  }

  /** Throws an `UnknownRunError`, a `NoCheckpointError` or an `IdempotencyConflictError`. */
  resume(request: ResumeRequest): Promise<RunRecord> {
    return this.steering.resume(request);
  }

  /**
   * Cancels the run: nothing new begins, what is in flight is told and has `cancelGraceMs` to come to its end, the units of
   * `spec.onCancel` run, then the run has failed with `Cancelled by …`. Answers once it has, or with the record as it
   * stands after the wait of a resume. A run that is over is answered as it is. Throws an `UnknownRunError` or an
   * `IdempotencyConflictError`.
   */
  cancel(request: StopRequest): Promise<RunRecord> {
    return this.steering.cancel(request);
  }

  /**
   * Pauses the run until it is resumed: nothing new begins, what is in flight has `cancelGraceMs` to come to its end; what
   * has not by then is called again, under the same key, when the run goes on. Answers and throws as `cancel` does.
   */
  pause(request: StopRequest): Promise<RunRecord> {
    return this.steering.pause(request);
  }

  /**
   * What the run does, step by step, as it happens, from `afterSeq` on until it is paused or over. Leave the loop, or
   * abort the signal, and nothing of it stays. Throws an `UnknownRunError` at the first step.
   */
  follow(request: FollowRequest): AsyncIterable<RunStep> {
    return this.follower.follow(request);
  }

  /**
   * Tells `observer` of every run that this process starts, pauses or ends, once that is durable: at most once, and of what
   * another process did, nothing. It is called between two turns, so it must not take long. Answers how to take it back.
   */
  observe(observer: RunObserver): () => void {
    return this.observers.add(observer);
  }

  /** One page of the run's messages, oldest first; short or empty pages may come before the last. */
  messages(request: PageOf): Promise<MessagePage> {
    return this.reader.messages(request, {
      afterSeq: request.afterSeq ?? 0,
      limit: request.limit ?? PAGE_LIMIT,
    });
  }

  /** One page of the run's checkpoints, oldest first; short or empty pages may come before the last. */
  snapshotPage(request: PageOf): Promise<SnapshotPage> {
    return this.reader.snapshotPage(request, {
      afterSeq: request.afterSeq ?? 0,
      limit: request.limit ?? PAGE_LIMIT,
    });
  }

  /** All checkpoints, oldest first: of a run that may be long take `snapshotPage`. */
  snapshots(address: RunAddress): Promise<readonly SnapshotSummary[]> {
    return this.reader.snapshots(address);
  }

  /** Throws a `NoCheckpointError` for an id that is no checkpoint of the run. */
  snapshot(request: RunAddress & { readonly snapshotId: string }): Promise<Snapshot> {
    return this.reader.snapshot(request, request.snapshotId);
  }
}

import type { RunRecord, Snapshot, SnapshotSummary } from '../run-record.js';
import type { MessagePage, RunAddress, RunReader } from '../runtime/requests/run-reader.js';
import type { RunStarter, StartRequest } from '../runtime/requests/run-starter.js';
import type { ResumeRequest, RunSteering } from '../runtime/requests/run-steering.js';

/** `engine.runs`: starts runs, reads them, resumes them. */
export class Runs {
  constructor(
    private readonly starter: RunStarter,
    private readonly steering: RunSteering,
    private readonly reader: RunReader,
  ) {}

  /** Throws an `UnknownWorkflowError`, an `InvalidInputError` or an `IdempotencyConflictError`. */
  start(request: StartRequest): Promise<RunRecord> {
    return this.starter.start(request);
  }

  /** Throws an `UnknownRunError`, also for a run of another workflow. */
  get(address: RunAddress): Promise<RunRecord> {
    return this.reader.record(address);
  }

  /** Throws an `UnknownRunError` unless the workflow has the run. */
  assertExists(address: RunAddress): Promise<void> {
    return this.reader.assertExists(address);
  }

  /** Throws an `UnknownRunError`, a `NoCheckpointError` or an `IdempotencyConflictError`. */
  resume(request: ResumeRequest): Promise<RunRecord> {
    return this.steering.resume(request);
  }

  /** One page of the run's messages, oldest first. `limit` defaults to 1,000. */
  messages(
    request: RunAddress & { readonly afterSeq?: number | undefined; readonly limit?: number | undefined },
  ): Promise<MessagePage> {
    return this.reader.messages(request, { afterSeq: request.afterSeq ?? 0, limit: request.limit ?? 1_000 });
  }

  snapshots(address: RunAddress): Promise<readonly SnapshotSummary[]> {
    return this.reader.snapshots(address);
  }

  /** Throws a `NoCheckpointError` for an id that is no checkpoint of the run. */
  snapshot(request: RunAddress & { readonly snapshotId: string }): Promise<Snapshot> {
    return this.reader.snapshot(request, request.snapshotId);
  }
}

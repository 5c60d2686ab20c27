import type { Observable } from 'rxjs';
import type { BatchedStartResult, Page, PublicEvent, RunItem, RunRecord } from '../engine/index.js';
import type {
  BatchedStart,
  Decision,
  ForkOptions,
  ResumeOptions,
  RunQuery,
  RunUpdate,
  StartBatchOptions,
  StartOptions,
  StopOptions,
  StreamOptions,
} from './run-requests.js';

/** The operations on runs of any workflow. */
export interface AnyRuns {
  start(workflowId: string, input?: object, options?: StartOptions): Promise<RunRecord>;
  startBatch(
    workflowId: string,
    runs: readonly BatchedStart[],
    options?: StartBatchOptions,
  ): Promise<readonly BatchedStartResult[]>;
  get(workflowId: string, runId: string): Promise<RunRecord>;
  resume(workflowId: string, runId: string, options?: ResumeOptions): Promise<RunRecord>;
  respond(workflowId: string, runId: string, decision: Decision): Promise<RunRecord>;
  cancel(workflowId: string, runId: string, options?: StopOptions): Promise<RunRecord>;
  pause(workflowId: string, runId: string, options?: StopOptions): Promise<RunRecord>;
  compensate(workflowId: string, runId: string, options?: StopOptions): Promise<RunRecord>;
  fork(workflowId: string, runId: string, options?: ForkOptions): Promise<RunRecord>;
  listRuns(query?: RunQuery): Promise<Page<RunItem>>;
  stream(workflowId: string, runId: string, options?: StreamOptions): AsyncIterable<PublicEvent>;
  observe(workflowId: string, runId: string): Observable<RunUpdate>;
}

/** One workflow of an instance. `State` is what its shared state holds: input keys, and `output.<unitId>` per unit. */
export class WorkflowHandle<Input extends object, State extends object> {
  constructor(
    private readonly runs: AnyRuns,
    readonly workflowId: string,
  ) {}

  /** Returns at once, with a run that has begun. */
  start(input: Input, options: Omit<StartOptions, 'sync'> = {}): Promise<RunRecord<State>> {
    return typed(this.runs.start(this.workflowId, input, options));
  }

  /** Returns when the run is completed, paused or failed. */
  run(input: Input, options: Omit<StartOptions, 'sync'> = {}): Promise<RunRecord<State>> {
    return typed(this.runs.start(this.workflowId, input, { ...options, sync: true }));
  }

  /** Returns what became of each run, in their order, as the runs begin. */
  startBatch(
    runs: readonly BatchedStart<Input>[],
    options: StartBatchOptions = {},
  ): Promise<readonly BatchedStartResult<State>[]> {
    const started: Promise<readonly BatchedStartResult<object>[]> = this.runs.startBatch(
      this.workflowId,
      runs,
      options,
    );
    return started as Promise<readonly BatchedStartResult<State>[]>;
  }

  get(runId: string): Promise<RunRecord<State>> {
    return typed(this.runs.get(this.workflowId, runId));
  }

  resume(runId: string, options?: ResumeOptions): Promise<RunRecord<State>> {
    return typed(this.runs.resume(this.workflowId, runId, options));
  }

  respond(runId: string, decision: Decision): Promise<RunRecord<State>> {
    return typed(this.runs.respond(this.workflowId, runId, decision));
  }

  cancel(runId: string, options?: StopOptions): Promise<RunRecord<State>> {
    return typed(this.runs.cancel(this.workflowId, runId, options));
  }

  pause(runId: string, options?: StopOptions): Promise<RunRecord<State>> {
    return typed(this.runs.pause(this.workflowId, runId, options));
  }

  compensate(runId: string, options?: StopOptions): Promise<RunRecord<State>> {
    return typed(this.runs.compensate(this.workflowId, runId, options));
  }

  fork(runId: string, options: ForkOptions & { readonly input?: Input } = {}): Promise<RunRecord<State>> {
    return typed(this.runs.fork(this.workflowId, runId, options));
  }

  /** The runs of the workflow that match, newest first, page by page. */
  listRuns(query: Omit<RunQuery, 'workflowId'> = {}): Promise<Page<RunItem>> {
    return this.runs.listRuns({ ...query, workflowId: this.workflowId });
  }

  stream(runId: string, options?: StreamOptions): AsyncIterable<PublicEvent> {
    return this.runs.stream(this.workflowId, runId, options);
  }

  observe(runId: string): Observable<RunUpdate> {
    return this.runs.observe(this.workflowId, runId);
  }
}

/** The caller states the type of the state; the engine knows it only as JSON. */
function typed<State extends object>(record: Promise<RunRecord>): Promise<RunRecord<State>> {
  return record as Promise<RunRecord<object>> as Promise<RunRecord<State>>;
}

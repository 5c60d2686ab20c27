import { Observable } from 'rxjs';
import {
  anonymous,
  usualNamespace,
  type ActingEngine,
  type BatchedStartResult,
  type Engine,
  type GatePage,
  type Page,
  type Principal,
  type PublicEvent,
  type PublicEventPage,
  type RunItem,
  type RunRecord,
  type WorkflowSummary,
} from '../engine/index.js';
import type {
  AsOptions,
  BatchedStart,
  Decision,
  EventsQuery,
  ForkOptions,
  GateQuery,
  ResumeOptions,
  RunQuery,
  RunUpdate,
  StartBatchOptions,
  StartOptions,
  StopOptions,
  StreamOptions,
} from './run-requests.js';
import { WorkflowHandle, type AnyRuns } from './workflow-handle.js';

const RESPONDER = 'user';

/** What somebody acts upon: all of the engine, or what a principal may. */
interface Acting {
  readonly runs: Pick<
    ActingEngine['runs'],
    | 'start'
    | 'startBatch'
    | 'get'
    | 'resume'
    | 'cancel'
    | 'pause'
    | 'compensate'
    | 'fork'
    | 'list'
    | 'events'
    | 'stream'
    | 'follow'
  >;
  readonly gates: Pick<ActingEngine['gates'], 'respond' | 'list'>;
  readonly workflows: Pick<ActingEngine['workflows'], 'list'>;
}

/**
 * Runs and workflows of one instance, for the providers of the host. Everything it throws is a `FlowgateError`. What is called on it
 * is the host's own, and nobody is asked; what is called on `as(principal)` is the principal's.
 */
export class Flowgate implements AnyRuns {
  private readonly acting: Acting;

  /** `acting`: as whom. Default: as the host, who may do everything. */
  constructor(
    private readonly engine: Engine,
    acting: Acting = engine,
  ) {
    this.acting = acting;
  }

  /**
   * The same as a principal: everything is asked of the policy first, and throws a `ForbiddenError` where a permission is missing. What
   * they may not see is answered for as what never was. They stand as `by` in what they cause, whatever a call says. Default of
   * `namespace`: the only one that is granted, else `default`.
   */
  as(principal: Principal, { namespace = usualNamespace(principal) }: AsOptions = {}): Flowgate {
    return new Flowgate(this.engine, this.engine.as(principal, { namespace }));
  }

  /** Returns at once or, with `sync`, when the run is completed, paused or failed: a failed run does not throw. */
  start(workflowId: string, input: object = {}, options: StartOptions = {}): Promise<RunRecord> {
    return this.acting.runs.start({ ...options, workflowId, input: input as Record<string, never> });
  }

  /**
   * Starts 1 to 1,000 runs, and returns what became of each, in their order: its record, as it begins, or the error that
   * `start` would throw for it. One that is refused stops no other. Throws an `UnknownWorkflowError`, an
   * `InvalidRequestError` or a `ShuttingDownError`; then nothing was started.
   */
  startBatch(
    workflowId: string,
    runs: readonly BatchedStart[],
    options: StartBatchOptions = {},
  ): Promise<readonly BatchedStartResult[]> {
    const starts = runs as readonly (BatchedStart & { readonly input?: Record<string, never> })[];
    return this.acting.runs.startBatch({ ...options, workflowId, runs: starts });
  }

  /** Throws an `UnknownRunError`, also for a run of another workflow. */
  get(workflowId: string, runId: string): Promise<RunRecord> {
    return this.acting.runs.get({ workflowId, runId });
  }

  /** Waits until the run stops again, `resumeWaitMs` at most. Throws an `UnknownRunError` or a `NoCheckpointError`. */
  resume(workflowId: string, runId: string, options: ResumeOptions = {}): Promise<RunRecord> {
    return this.acting.runs.resume({ ...options, workflowId, runId, by: anonymous('in-process') });
  }

  /**
   * Ends the run: units in flight are notified and get `cancelGraceMs`, then the units of `onCancel` run. Waits as
   * `resume` does; a run that is already over is returned as it is. Throws an `UnknownRunError`.
   */
  cancel(workflowId: string, runId: string, options: StopOptions = {}): Promise<RunRecord> {
    const { by = RESPONDER, idempotencyKey } = options;
    return this.acting.runs.cancel({ workflowId, runId, idempotencyKey, by: anonymous('in-process', by) });
  }

  /** Pauses the run until it is resumed; waits, and throws, as `cancel` does. */
  pause(workflowId: string, runId: string, options: StopOptions = {}): Promise<RunRecord> {
    const { by = RESPONDER, idempotencyKey } = options;
    return this.acting.runs.pause({ workflowId, runId, idempotencyKey, by: anonymous('in-process', by) });
  }

  /**
   * Tries again what the run could not undo, once it is over; waits as `resume` does. Throws an `UnknownRunError`, or a
   * `NothingToCompensateError` where no compensation has failed.
   */
  compensate(workflowId: string, runId: string, options: StopOptions = {}): Promise<RunRecord> {
    const { by = RESPONDER, idempotencyKey } = options;
    return this.acting.runs.compensate({
      workflowId,
      runId,
      idempotencyKey,
      by: anonymous('in-process', by),
    });
  }

  /**
   * Decides at a gate, and waits as `resume` does. Throws an `UnknownRunError`, an `AmbiguousGateError` where several are
   * open, or a `GateDecidedError`.
   */
  respond(workflowId: string, runId: string, decision: Decision): Promise<RunRecord> {
    const { responder = RESPONDER } = decision;
    const by = anonymous('in-process', responder);
    return this.acting.gates.respond({ ...decision, workflowId, runId, responder, by });
  }

  /**
   * A new run that begins where this one was, with other input if that is given; this one stays as it is. Throws an
   * `UnknownRunError`, a `NoCheckpointError`, a `UnitNotReachedError`, a `DecidedGateError`, an
   * `IncompatibleDefinitionError` or an `InvalidInputError`.
   */
  fork(workflowId: string, runId: string, options: ForkOptions = {}): Promise<RunRecord> {
    const { by = RESPONDER, input, state, ...others } = options;
    return this.acting.runs.fork({
      ...others,
      workflowId,
      runId,
      input: input as Record<string, never> | undefined,
      state: state as Record<string, never> | undefined,
      by: anonymous('in-process', by),
    });
  }

  /** The runs that match, newest first, page by page (`next` of one is `cursor` of the next). */
  listRuns(query: RunQuery = {}): Promise<Page<RunItem>> {
    return this.acting.runs.list(query);
  }

  /** The gates of all runs that wait for a decision, or those that were decided; newest first. */
  listGates(query: GateQuery = {}): Promise<GatePage> {
    return this.acting.gates.list(query);
  }

  /** One page of the run's events, oldest first. Throws an `UnknownRunError`. */
  events(workflowId: string, runId: string, query: EventsQuery = {}): Promise<PublicEventPage> {
    return this.acting.runs.events({ ...query, workflowId, runId });
  }

  /**
   * The run's events, as they happen, until it is over. Unlike `observe` it continues after a pause. Leaving the
   * loop, or aborting the signal, releases everything. Throws an `UnknownRunError` at the first event.
   */
  stream(workflowId: string, runId: string, options: StreamOptions = {}): AsyncIterable<PublicEvent> {
    return this.acting.runs.stream({ ...options, workflowId, runId });
  }

  /** The registered workflows, in the order of their first registration. */
  list(): Promise<readonly WorkflowSummary[]> {
    return this.acting.workflows.list();
  }

  /**
   * The steps of a run from its first on, as they happen; then, when it is paused or over, its record, and the end.
   * To see what follows a pause, observe again. Subscribers are independent, and one that leaves leaves nothing
   * behind. Ends without a record when the application does; fails with an `UnknownRunError`.
   */
  observe(workflowId: string, runId: string): Observable<RunUpdate> {
    return new Observable((subscriber) => {
      const left = new AbortController();
      this.follow({ workflowId, runId, signal: left.signal }, (update) => subscriber.next(update)).then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      );
      return () => left.abort();
    });
  }

  /** One workflow, with the types of its input and its state. The types are not checked; `spec.input` checks the input. */
  workflow<Input extends object = Record<string, unknown>, State extends object = Record<string, unknown>>(
    workflowId: string,
  ): WorkflowHandle<Input, State> {
    return new WorkflowHandle(this, workflowId);
  }

  private async follow(
    run: { readonly workflowId: string; readonly runId: string; readonly signal: AbortSignal },
    notify: (update: RunUpdate) => void,
  ): Promise<void> {
    for await (const step of this.acting.runs.follow(run)) {
      if (run.signal.aborted) return;
      notify({ type: 'step', step });
    }
    if (run.signal.aborted || this.engine.isClosing) return;
    notify({ type: 'stopped', record: await this.acting.runs.get(run) });
  }
}

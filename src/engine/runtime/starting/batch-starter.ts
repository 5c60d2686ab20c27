import { InvalidRequestError } from '../../../errors/request-errors.js';
import { ShuttingDownError } from '../../../errors/service-errors.js';
import type { JsonObject } from '../../core/json.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import { STARTS_OF_A_BATCH } from '../../request-limits.js';
import type { RunRecord } from '../../run-record.js';
import { Slice } from '../../scheduling/slice.js';
import type { RunStarter, StartRequest } from './run-starter.js';
import { startGroups } from './start-groups.js';

/** One start of a batch, with what a start by itself has; its key is found by starts of either kind. */
export type BatchedStart = Pick<StartRequest, 'input' | 'labels' | 'idempotencyKey'>;

export interface StartBatchRequest extends Pick<
  StartRequest,
  'namespace' | 'workflowId' | 'by' | 'caller' | 'keyOwner'
> {
  /** 1 to 1,000. */
  readonly runs: readonly BatchedStart[];
  /**
   * Once it is aborted, nothing further is begun: what is left is refused with the signal's reason. Default: nothing
   * aborts it.
   */
  readonly signal?: AbortSignal | undefined;
}

/** What became of one start: its record, as an asynchronous start answers it, or the error that such a start throws. */
export type BatchedStartResult<State extends object = JsonObject> =
  { readonly ok: true; readonly run: RunRecord<State> } | { readonly ok: false; readonly error: unknown };

export interface BatchStarterOptions {
  readonly starter: Pick<RunStarter, 'start'>;
  readonly registry: Pick<WorkflowRegistry, 'forStart' | 'unknown'>;
  readonly isClosing: () => boolean;
}

/**
 * Starts many runs of one workflow.
 *
 * 1. Each start is a start by itself: one that is refused stops no other.
 * 2. Starts with one key follow one another in their order, so that the first that is accepted makes the run.
 * 3. No more than one group is with the store at a time, and the event loop is yielded between two groups, and within
 *    one where it takes long.
 */
export class BatchStarter {
  constructor(private readonly options: BatchStarterOptions) {}

  /**
   * In the order of `runs`. Throws an `UnknownWorkflowError`, an `InvalidRequestError` for too few or too many runs, or a
   * `ShuttingDownError`; then nothing was started.
   */
  async start(request: StartBatchRequest): Promise<readonly BatchedStartResult[]> {
    await this.assertStartable(request);
    const results: BatchedStartResult[] = [];
    const slice = new Slice();
    for (const group of startGroups(request.runs)) {
      if (results.length > 0) await slice.next();
      results.push(...(await this.startGroup(request, group, slice)));
    }
    return results;
  }

  private async assertStartable({
    namespace = DEFAULT_NAMESPACE,
    workflowId,
    runs,
  }: StartBatchRequest): Promise<void> {
    const { registry, isClosing } = this.options;
    if ((await registry.forStart(namespace, workflowId)) === null)
      throw await registry.unknown(namespace, workflowId);
    const { least, most } = STARTS_OF_A_BATCH;
    if (!Array.isArray(runs) || runs.length < least || runs.length > most || !runs.every(isObject)) {
      throw new InvalidRequestError(
        `runs must be a list of ${least} to ${most} starts, each an object: split a longer one`,
      );
    }
    if (isClosing()) throw new ShuttingDownError();
  }

  private async startGroup(
    request: StartBatchRequest,
    group: readonly BatchedStart[],
    slice: Slice,
  ): Promise<readonly BatchedStartResult[]> {
    const starting: Promise<BatchedStartResult>[] = [];
    const lastOfKey = new Map<string, Promise<BatchedStartResult>>();
    for (const start of group) {
      const { idempotencyKey: key } = start;
      const before = typeof key === 'string' ? lastOfKey.get(key) : undefined;
      const one = this.startAfter(before, request, start);
      if (typeof key === 'string') lastOfKey.set(key, one);
      starting.push(one);
      if (slice.isOver) await slice.next();
    }
    return Promise.all(starting);
  }

  private async startAfter(
    before: Promise<unknown> | undefined,
    { namespace, workflowId, by, caller, keyOwner, signal }: StartBatchRequest,
    { input, labels, idempotencyKey }: BatchedStart,
  ): Promise<BatchedStartResult> {
    try {
      if (before !== undefined) await before;
      signal?.throwIfAborted();
      const asked = { namespace, workflowId, by, caller, keyOwner, input, labels, idempotencyKey };
      return { ok: true, run: await this.options.starter.start(asked) };
    } catch (error) {
      return { ok: false, error };
    }
  }
}

function isObject(start: unknown): boolean {
  return typeof start === 'object' && start !== null;
}

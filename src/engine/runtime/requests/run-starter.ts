import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { UnknownWorkflowError } from '../../../errors/run-errors.js';
import { ShuttingDownError, StoreError } from '../../../errors/service-errors.js';
import type { JsonObject } from '../../core/json.js';
import { anonymous, type Actor } from '../../core/log/actor.js';
import type { Origin } from '../../core/log/event.js';
import { statusOf, type RunStatus } from '../../core/state/status.js';
import type { Definition } from '../../definitions/definition.js';
import type { WorkflowRegistry } from '../../definitions/workflow-registry.js';
import type { Clock } from '../../ports/clock.js';
import type { Ids } from '../../ports/ids.js';
import type { RunDriver } from '../../ports/run-driver.js';
import type { RunStore } from '../../ports/run-store.js';
import type { RunRecord } from '../../run-record.js';
import { StartRefused } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import { checkedInput, checkedLabels, type Labels } from './checked-start.js';
import { earlierRun, idempotencyRecord, startScope, type KeyedRequest } from './idempotency.js';
import type { RunAddress, RunReader } from './run-reader.js';
import { startedRecord } from './record.js';
import type { RunStops } from './run-stops.js';

export interface StartRequest {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  readonly workflowId: string;
  /** The first keys of the shared state. Default: none. */
  readonly input?: JsonObject | undefined;
  /** Wait until the run is completed, paused or failed. Default false. */
  readonly sync?: boolean | undefined;
  /** To find the run by. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Who starts it. Default: somebody in this process. */
  readonly by?: Actor | undefined;
  /** The same key with the same request answers with the run that the first one made. */
  readonly idempotencyKey?: string | null | undefined;
}

export interface RunStarterOptions {
  readonly registry: WorkflowRegistry;
  readonly live: LiveRuns;
  readonly reader: RunReader;
  readonly stops: RunStops;
  readonly store: RunStore;
  readonly driver: Pick<RunDriver, 'laneForNewRun' | 'laneCount'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly isClosing: () => boolean;
}

const WILL_MOVE: ReadonlySet<RunStatus> = new Set(['pending', 'running']);
const BY_CLIENT: Origin = Object.freeze({ type: 'client' });
const SOMEBODY = Object.freeze(anonymous('in-process'));
/** A workflow that is registered anew between every look and every start, so many times in a row, is refused. */
const MAX_STALE_STARTS = 10;

/** Starts runs, and answers for them. */
export class RunStarter {
  constructor(private readonly options: RunStarterOptions) {}

  /**
   * Throws an `UnknownWorkflowError`, an `InvalidInputError`, an `IdempotencyConflictError` or a
   * `ShuttingDownError`. A run that fails is an answer, not an error.
   */
  async start(request: StartRequest): Promise<RunRecord> {
    const { registry, isClosing } = this.options;
    const { namespace = DEFAULT_NAMESPACE, workflowId } = request;
    for (let staleStarts = 0; staleStarts < MAX_STALE_STARTS; staleStarts++) {
      const definition = await registry.current(namespace, workflowId);
      if (definition === null) throw new UnknownWorkflowError(workflowId);
      if (isClosing()) throw new ShuttingDownError();
      const record = await this.startFrom(definition, request);
      if (record !== 'stale') return record;
      await registry.refresh(namespace, workflowId);
    }
    throw new StoreError(`The workflow ${workflowId} is registered again and again: try again later`);
  }

  private async startFrom(definition: Definition, request: StartRequest): Promise<RunRecord | 'stale'> {
    const { store } = this.options;
    const { namespace = DEFAULT_NAMESPACE, workflowId, sync = false } = request;
    const input = await checkedInput(request.input ?? {}, definition);
    const labels = checkedLabels(request.labels);
    const content = Object.keys(labels).length === 0 ? { input, sync } : { input, sync, labels };
    const keyed: KeyedRequest | null =
      typeof request.idempotencyKey === 'string'
        ? { scope: startScope(namespace, workflowId), key: request.idempotencyKey, content }
        : null;
    if (keyed !== null) {
      const earlier = await earlierRun(store, keyed);
      if (earlier !== null) return this.answerAgain({ namespace, workflowId, runId: earlier }, sync);
    }
    try {
      return await this.begin(definition, { ...request, input, labels }, keyed);
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      const earlier = keyed === null ? null : await earlierRun(store, keyed);
      if (earlier !== null) return this.answerAgain({ namespace, workflowId, runId: earlier }, sync);
      if (error.reason === 'stale') return 'stale';
      throw error;
    }
  }

  private begin(
    definition: Definition,
    request: StartRequest & { readonly input: JsonObject; readonly labels: Labels },
    keyed: KeyedRequest | null,
  ): Promise<RunRecord> {
    const { live, stops, ids, clock, driver, registry } = this.options;
    const { namespace = DEFAULT_NAMESPACE, input, labels, by = SOMEBODY, sync = false } = request;
    const runId = ids.runId({ lane: driver.laneForNewRun(), laneCount: driver.laneCount });
    return live.withNewRun(runId, definition, async (run) => {
      run.startedFrom = () => registry.startedFrom(definition);
      const wait = sync ? stops.next(runId, null) : null;
      const at = clock.now();
      try {
        await run.send(
          [{ type: 'start', at, runId, namespace, input, labels, by, origin: BY_CLIENT, parent: null }],
          keyed === null ? null : { record: idempotencyRecord(keyed, runId), request: 'start' },
        );
      } catch (error) {
        wait?.abandon();
        throw error;
      }
      const started = startedRecord(run.durable);
      return (wait === null ? null : await wait.stopped) ?? started;
    });
  }

  private async answerAgain(address: RunAddress, sync: boolean): Promise<RunRecord> {
    const { reader, live, stops } = this.options;
    const standing = await reader.standing(address);
    if (!sync) return { ...standing, status: 'running' };
    if (standing.status !== 'running') return reader.record(address);
    const wait = await live.withRun(address.runId, async ({ durable }) =>
      // Pending: the write that started it is in doubt, and the live run will find that it happened.
      WILL_MOVE.has(statusOf(durable)) ? stops.next(address.runId, null) : null,
    );
    return (await wait?.stopped) ?? reader.record(address);
  }
}

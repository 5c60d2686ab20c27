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
import type { RunStops, Waiting } from './run-stops.js';

/** `waitMs` and `signal` matter to who waits; without them a start waits as long as the run takes. */
export interface StartRequest extends Waiting {
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

/** A start of which everything but the store was asked. */
interface CheckedStart {
  readonly definition: Definition;
  readonly request: StartRequest;
  readonly input: JsonObject;
  readonly labels: Labels;
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
      const found = registry.current(namespace, workflowId);
      const definition = found instanceof Promise ? await found : found;
      if (definition === null) throw new UnknownWorkflowError(workflowId);
      if (isClosing()) throw new ShuttingDownError();
      const checked = checkedInput(request.input ?? {}, definition);
      const input = checked instanceof Promise ? await checked : checked;
      const start: CheckedStart = { definition, request, input, labels: checkedLabels(request.labels) };
      try {
        return await (typeof request.idempotencyKey === 'string'
          ? this.startOnce(start, request.idempotencyKey)
          : this.begin(start, null));
      } catch (error) {
        if (!(error instanceof StartRefused) || error.reason !== 'stale') throw error;
      }
      await registry.refresh(namespace, workflowId);
    }
    throw new StoreError(`The workflow ${workflowId} is registered again and again: try again later`);
  }

  /** Unless the same request came before under its key: then as that was answered. */
  private async startOnce(start: CheckedStart, key: string): Promise<RunRecord> {
    const { store } = this.options;
    const { request, input, labels } = start;
    const { namespace = DEFAULT_NAMESPACE, workflowId, sync = false } = request;
    const content = Object.keys(labels).length === 0 ? { input, sync } : { input, sync, labels };
    const keyed: KeyedRequest = { scope: startScope(namespace, workflowId), key, content };
    const before = await earlierRun(store, keyed);
    if (before !== null) return this.answerAgain({ ...request, namespace, runId: before }, sync);
    try {
      return await this.begin(start, keyed);
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      const earlier = await earlierRun(store, keyed);
      if (earlier === null) throw error;
      return this.answerAgain({ ...request, namespace, runId: earlier }, sync);
    }
  }

  /** Throws a `StartRefused` where somebody else was first, or the workflow was registered anew. */
  private async begin(start: CheckedStart, keyed: KeyedRequest | null): Promise<RunRecord> {
    const { live, stops, ids, clock, driver, registry, reader } = this.options;
    const { definition, request, input, labels } = start;
    const { namespace = DEFAULT_NAMESPACE, by = SOMEBODY, sync = false } = request;
    const runId = ids.runId({ lane: driver.laneForNewRun(), laneCount: driver.laneCount });
    const run = live.lendNew(runId, definition);
    run.startedFrom = () => registry.startedFrom(definition);
    try {
      const at = clock.now();
      await run.send(
        [{ type: 'start', at, runId, namespace, input, labels, by, origin: BY_CLIENT, parent: null }],
        keyed === null ? null : { record: idempotencyRecord(keyed, runId), request: 'start' },
      );
      if (!sync) return startedRecord(run.durable);
      return (await stops.ofRun(run, request)) ?? reader.recordOfLive(run);
    } finally {
      live.end(run);
    }
  }

  private async answerAgain(address: RunAddress & Waiting, sync: boolean): Promise<RunRecord> {
    const { reader, live, stops } = this.options;
    const standing = await reader.standing(address);
    if (!sync) return { ...standing, status: 'running' };
    if (standing.status !== 'running') return reader.record(address);
    const wait = await live.withRun(address.runId, async ({ durable }) =>
      // Pending: the write that started it is in doubt, and the live run will find that it happened.
      WILL_MOVE.has(statusOf(durable))
        ? stops.next(address.runId, address.waitMs ?? null, address.signal)
        : null,
    );
    return (await wait?.stopped) ?? reader.record(address);
  }
}

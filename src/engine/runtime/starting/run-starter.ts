import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { InvalidInputError } from '../../../errors/request-errors.js';
import { ShuttingDownError } from '../../../errors/service-errors.js';
import type { JsonObject } from '../../core/json.js';
import { anonymous, type Actor } from '../../core/log/actor.js';
import type { Origin } from '../../core/log/event.js';
import type { Definition } from '../../definitions/definition.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import type { RunRecord } from '../../run-record.js';
import { StartRefused } from '../mailbox/live-run.js';
import { againWhileStale } from './again-while-stale.js';
import { checkedInput, checkedLabels, type Labels } from './checked-start.js';
import { startScope, type KeyedRequest } from './idempotency.js';
import type { SyncUntil } from '../../vocabulary.js';
import { checkSyncUntil, untilGate, type NewRun, type NewRuns } from './new-runs.js';
import type { Waiting } from '../streams/completion-waiters.js';

/** `waitMs` and `signal` matter where the request waits; without them a start waits as long as the run takes. */
export interface StartRequest extends Waiting {
  /** Default: `default`. */
  readonly namespace?: string | undefined;
  readonly workflowId: string;
  /** The first keys of the shared state. Default: none. */
  readonly input?: JsonObject | undefined;
  /** Wait until the run is completed, paused or failed. Default false. */
  readonly sync?: boolean | undefined;
  /** When a start with `sync` is answered: `gate`, at an open gate too, then possibly `running`. Default `stop`. */
  readonly syncUntil?: SyncUntil | undefined;
  /** To find the run by. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Who starts it. Default: somebody in this process. */
  readonly by?: Actor | undefined;
  /** Whose share of the threads it takes where its input is long to check. Default: that of the workflow. */
  readonly caller?: string | undefined;
  /** The same key with the same request returns the run that the first one made. */
  readonly idempotencyKey?: string | null | undefined;
  /** The account whose key it is, if it was authenticated: the same key of another one is a conflict. Default: nobody's. */
  readonly keyOwner?: string | undefined;
}

export interface RunStarterOptions {
  readonly registry: WorkflowRegistry;
  readonly newRuns: NewRuns;
  readonly isClosing: () => boolean;
}

/** A start that everything but the store has accepted. */
interface CheckedStart {
  readonly definition: Definition;
  readonly request: StartRequest;
  readonly input: JsonObject;
  readonly labels: Labels;
}

const BY_CLIENT: Origin = Object.freeze({ type: 'client' });
const SOMEBODY = Object.freeze(anonymous('in-process'));

/** Starts runs, and returns their records. */
export class RunStarter {
  constructor(private readonly options: RunStarterOptions) {}

  /**
   * Throws an `UnknownWorkflowError`, an `InvalidRequestError`, an `InvalidInputError`, an `IdempotencyConflictError` or a
   * `ShuttingDownError`. A run that fails is a result, not an error.
   */
  start(request: StartRequest): Promise<RunRecord> {
    const { namespace = DEFAULT_NAMESPACE, workflowId } = request;
    const address = { namespace, workflowId };
    return againWhileStale(this.options.registry, address, () => this.startByCurrent(request, namespace));
  }

  private async startByCurrent(request: StartRequest, namespace: string): Promise<RunRecord> {
    const { registry, isClosing } = this.options;
    const { workflowId } = request;
    const found = registry.forStart(namespace, workflowId);
    const definition = found instanceof Promise ? await found : found;
    if (definition === null) throw await registry.unknown(namespace, workflowId);
    if (isClosing()) throw new ShuttingDownError();
    checkSyncUntil(request);
    try {
      return await this.startBy(definition, request);
    } catch (error) {
      // What is registered by now, maybe by another process, may accept it.
      if (error instanceof InvalidInputError && (await registry.isReplaced(definition)))
        throw new StartRefused('stale');
      throw error;
    }
  }

  private async startBy(definition: Definition, request: StartRequest): Promise<RunRecord> {
    const { idempotencyKey, caller = null } = request;
    const checked = checkedInput(request.input ?? {}, definition, caller);
    const input = checked instanceof Promise ? await checked : checked;
    const start: CheckedStart = { definition, request, input, labels: checkedLabels(request.labels) };
    return typeof idempotencyKey === 'string'
      ? this.startOnce(start, idempotencyKey)
      : this.begin(start, null);
  }

  /** Begins a run, unless the same request came before under its key: then returns the run of that. */
  private startOnce(start: CheckedStart, key: string): Promise<RunRecord> {
    const { request, input, labels } = start;
    const { namespace = DEFAULT_NAMESPACE, workflowId, sync = false } = request;
    const asked = { input, sync, ...untilGate(request) };
    const content = Object.keys(labels).length === 0 ? asked : { ...asked, labels };
    const owner = request.keyOwner;
    const keyed: KeyedRequest = { scope: startScope(namespace, workflowId), key, content, owner };
    return this.options.newRuns.beginOnce(request, keyed, () => this.begin(start, keyed));
  }

  /** Throws a `StartRefused` where another request was first, or the workflow was registered again. */
  private begin(start: CheckedStart, keyed: KeyedRequest | null): Promise<RunRecord> {
    const { registry, newRuns } = this.options;
    const { definition, request, input, labels } = start;
    const { namespace = DEFAULT_NAMESPACE, by = SOMEBODY } = request;
    const newRun: NewRun = {
      definition,
      start: { type: 'start', namespace, input, labels, by, origin: BY_CLIENT, parent: null },
      startedFrom: () => registry.startedFrom(definition),
    };
    return newRuns.begin(request, newRun, keyed);
  }
}

import type { Backend, RunAddress } from './backend.js';
import { makeBackend } from './make-backend.js';
import {
  checkDecision,
  checkFlag,
  checkId,
  checkInput,
  checkKey,
  checkName,
  checkPage,
  checkRun,
  checkText,
  checkedBudget,
  checkedTopK,
} from './calls/arguments.js';
import { within } from './calls/deadline.js';
import { checkedTimeout } from './calls/timeout.js';
import { whenStopped } from './calls/wait-for-run.js';
import { checkedWorkflowId } from './document/check-document.js';
import { DEFAULTS } from './defaults.js';
import { textOf, type WorkflowSource } from './document/workflow-source.js';
import { FlowgateUnreachableError } from './errors/unreachable-error.js';
import type {
  CallOptions,
  FlowgateClientOptions,
  MessagesOptions,
  RespondOptions,
  ResumeOptions,
  StartOptions,
  StopOptions,
  WaitOptions,
} from './options.js';
import type { UsesBindings } from './types/bindings.js';
import type { JsonObject } from './types/json.js';
import type { Health, MemorySearch, MessagePage, RunRecord } from './types/records.js';
import type { UnitHandler } from './types/units.js';

/**
 * Checks workflows, starts and steers runs: those of a service where there is a `baseUrl`, else in this process (interface,
 * "Client libraries"). What Flowgate refuses is a `FlowgateApiError`; an argument that cannot be meant is a `TypeError`.
 */
export class FlowgateClient {
  readonly #backend: Backend;
  readonly #apiGroups: readonly string[];
  readonly #timeoutMs: number;

  constructor(options: FlowgateClientOptions = {}) {
    const { apiGroups = DEFAULTS.apiGroups, timeoutMs = DEFAULTS.timeoutMs } = options;
    if (!Array.isArray(apiGroups) || apiGroups.length === 0) {
      throw new TypeError('apiGroups must be a list of at least one group, such as flowgate');
    }
    this.#apiGroups = [...apiGroups];
    this.#timeoutMs = checkedTimeout(timeoutMs);
    this.#backend = makeBackend({ ...options, apiGroups: this.#apiGroups });
  }

  /** Checks a workflow here, against the published schema. Throws one `FlowgateValidationError` with all faults. */
  async validateYaml(source: WorkflowSource): Promise<{ readonly ok: true; readonly workflowId: string }> {
    return { ok: true, workflowId: checkedWorkflowId(await textOf(source), this.#apiGroups) };
  }

  /** Checks it here, then registers it, or replaces it for later runs. Throws a `FlowgateValidationError`. */
  async loadAndRegister(
    source: WorkflowSource,
    bindings?: UsesBindings,
    options: CallOptions = {},
  ): Promise<{ readonly workflowId: string }> {
    const document = await textOf(source);
    checkedWorkflowId(document, this.#apiGroups);
    return this.#call(options, (backend, signal) =>
      backend.register({ yaml: document.text, bindings }, signal),
    );
  }

  /** A run that fails is an answer, not an error: look at `status`. */
  async startWorkflow<State extends object = JsonObject, Input extends object = object>(
    workflowId: string,
    input?: Input,
    options: StartOptions = {},
  ): Promise<RunRecord<State>> {
    checkId('workflowId', workflowId);
    const { sync = false, idempotencyKey } = options;
    const request = { workflowId, input: input ?? {}, sync, idempotencyKey };
    checkInput(request.input);
    checkFlag('sync', sync);
    checkKey(idempotencyKey);
    const started = this.#call(
      options,
      (backend, signal) => backend.start(request, signal),
      sync ? Infinity : this.#timeoutMs,
    );
    return (await started) as RunRecord<State>;
  }

  async getRun<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: CallOptions = {},
  ): Promise<RunRecord<State>> {
    checkRun(workflowId, runId);
    const read = this.#call(options, (backend, signal) => backend.get({ workflowId, runId }, signal));
    return (await read) as RunRecord<State>;
  }

  /**
   * Goes on after a pause, tries a failed run again, or goes back to the checkpoint that is named; with a `budget`, under
   * that.
   */
  async resume<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    snapshotId?: string | null,
    options: ResumeOptions = {},
  ): Promise<RunRecord<State>> {
    checkRun(workflowId, runId);
    checkText('snapshotId', snapshotId ?? undefined);
    const { idempotencyKey } = options;
    const budget = checkedBudget(options.budget);
    checkKey(idempotencyKey);
    const request = { workflowId, runId, snapshotId: snapshotId ?? undefined, budget, idempotencyKey };
    const resumed = this.#call(options, (backend, signal) => backend.resume(request, signal));
    return (await resumed) as RunRecord<State>;
  }

  /**
   * Ends a run: what is in flight is told, then the units of its `onCancel` run. It is then `failed`, and its `error` says
   * who cancelled it. One that is over already is answered as it is.
   */
  cancel<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: StopOptions = {},
  ): Promise<RunRecord<State>> {
    return this.#stop('cancel', { workflowId, runId }, options);
  }

  /** Has a run stand still until it is resumed. One that is paused or over already is answered as it is. */
  pause<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: StopOptions = {},
  ): Promise<RunRecord<State>> {
    return this.#stop('pause', { workflowId, runId }, options);
  }

  /** Decides at the gate that is open, and goes on. */
  async respondHITL<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    approved: boolean,
    responder = 'sdk',
    options: RespondOptions = {},
  ): Promise<RunRecord<State>> {
    checkRun(workflowId, runId);
    checkDecision(approved, responder, options);
    const { gateId, comment, idempotencyKey } = options;
    checkKey(idempotencyKey);
    const request = { workflowId, runId, approved, responder, gateId, comment, idempotencyKey };
    const decided = this.#call(options, (backend, signal) => backend.respond(request, signal));
    return (await decided) as RunRecord<State>;
  }

  /** Asks until the run is completed, paused or failed. Throws a `FlowgateWaitTimeoutError`. */
  async waitForRun<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: WaitOptions = {},
  ): Promise<RunRecord<State>> {
    const timeoutMs = checkedTimeout(options.timeoutMs ?? Infinity);
    const read = (signal: AbortSignal): Promise<RunRecord> => this.getRun(workflowId, runId, { signal });
    const stopped = whenStopped(read, { signal: options.signal, timeoutMs });
    return (await stopped) as RunRecord<State>;
  }

  /** One page of what happened in the run, oldest first. */
  async getMessages(workflowId: string, runId: string, options: MessagesOptions = {}): Promise<MessagePage> {
    checkRun(workflowId, runId);
    const { after, limit } = options;
    checkPage(after, limit);
    return this.#call(options, (backend, signal) =>
      backend.messages({ workflowId, runId, after, limit }, signal),
    );
  }

  /** What units answered before. In process nothing is searched, and there are no results. */
  async searchMemory(query: string, topK = 5, options: CallOptions = {}): Promise<MemorySearch> {
    checkText('query', query ?? null);
    const request = { query, topK: checkedTopK(topK) };
    return this.#call(options, (backend, signal) => backend.search(request, signal));
  }

  /** Also of a service that cannot serve: then `ok` is false. */
  async health(options: CallOptions = {}): Promise<Health> {
    return this.#call(options, (backend, signal) => backend.health(signal));
  }

  /** In process: makes code answer to a `uses` name. */
  registerUnit(uses: string, handler: UnitHandler): void {
    checkId('uses', uses);
    if (typeof handler !== 'function') throw new TypeError(`${uses}: the unit must be a function`);
    this.#backend.registerUnit(uses, handler);
  }

  /** In process: ends the engine, unless it was given. Units in flight may come to their end. */
  close(): Promise<void> {
    return this.#backend.close();
  }

  async #stop<State extends object>(
    how: 'cancel' | 'pause',
    { workflowId, runId }: RunAddress,
    options: StopOptions,
  ): Promise<RunRecord<State>> {
    checkRun(workflowId, runId);
    const { by = 'sdk', idempotencyKey } = options;
    checkName('by', by);
    checkKey(idempotencyKey);
    const request = { workflowId, runId, by, idempotencyKey };
    const stopped = this.#call(options, (backend, signal) => backend[how](request, signal));
    return (await stopped) as RunRecord<State>;
  }

  #call<T>(
    options: CallOptions,
    ask: (backend: Backend, signal: AbortSignal) => Promise<T>,
    timeoutMs = this.#timeoutMs,
  ): Promise<T> {
    const bound = checkedTimeout(options.timeoutMs ?? timeoutMs);
    const onTimeout = (): Error =>
      new FlowgateUnreachableError(this.#backend.silence(bound), { code: 'TIMEOUT' });
    return within({ signal: options.signal, timeoutMs: bound, onTimeout }, (signal) =>
      ask(this.#backend, signal),
    );
  }
}

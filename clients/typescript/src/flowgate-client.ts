import type { Backend, RunAddress } from './backend.js';
import { Asking } from './calls/asking.js';
import { checkedLabels } from './calls/filters.js';
import { makeBackend } from './make-backend.js';
import {
  checkDecision,
  checkFlag,
  checkId,
  checkInput,
  checkKey,
  checkName,
  checkPage,
  checkAnsweredOnce,
  checkRun,
  checkSyncUntil,
  checkText,
  checkView,
  checkedBudget,
  checkedTopK,
} from './calls/arguments.js';
import { checkedTimeout } from './calls/timeout.js';
import { whenStopped } from './calls/wait-for-run.js';
import { checkBeforeSending, checkedWorkflowId } from './document/check-document.js';
import { DEFAULTS } from './defaults.js';
import { textOf, type WorkflowSource } from './document/workflow-source.js';
import { Access } from './facets/access.js';
import { batchRequest } from './facets/batches.js';
import { Events } from './facets/events.js';
import { forkRequest } from './facets/forks.js';
import { Lists } from './facets/lists.js';
import { Snapshots } from './facets/snapshots.js';
import { Transfer, type RunExport } from './facets/transfer.js';
import { Versions } from './facets/versions.js';
import type {
  CallOptions,
  FlowgateClientOptions,
  GetRunOptions,
  MessagesOptions,
  RespondOptions,
  ResumeOptions,
  StartOptions,
  StopOptions,
  WaitOptions,
} from './options.js';
import type {
  ListAuditOptions,
  ListKeysOptions,
  MakeKeyOptions,
  RotateKeyOptions,
} from './options/access.js';
import type { BatchedStart } from './options/batches.js';
import type { EventOptions, EventsOptions, WatchAllOptions, WatchRunOptions } from './options/events.js';
import type { ForkOptions } from './options/forks.js';
import type {
  ListGatesOptions,
  ListRunsOptions,
  PageOptions,
  WatchGatesOptions,
  WatchRunsOptions,
} from './options/lists.js';
import { checkOptions } from './options/option-names.js';
import type { GetWorkflowOptions } from './options/versions.js';
import type { WatchBounds } from './options/watches.js';
import type { ApiKey, AuditItem, MadeKey, WhoAmI } from './types/access.js';
import type { StartedOrRefused } from './types/batches.js';
import type { UsesBindings } from './types/bindings.js';
import type { EventPage, RunEvent, WatchedEvent } from './types/events.js';
import type { JsonObject } from './types/json.js';
import type { GateItem, GatePage, ListChange, Page, RunItem } from './types/lists.js';
import type { FullRunRecord, Health, MemorySearch, MessagePage, RunRecord } from './types/records.js';
import type { Snapshot, SnapshotPage } from './types/snapshots.js';
import type { UnitHandler } from './types/units.js';
import type {
  WorkflowCheck,
  WorkflowDiff,
  WorkflowItem,
  WorkflowVersion,
  WorkflowVersionDetails,
} from './types/versions.js';

/**
 * Checks workflows, starts and steers runs: those of a service where there is a `baseUrl`, else in this process (interface,
 * "Client libraries"). What Flowgate refuses is a `FlowgateApiError`; an argument that cannot be meant is a `TypeError`.
 */
export class FlowgateClient {
  readonly #backend: Backend;
  readonly #apiGroups: readonly string[];
  readonly #asking: Asking;
  readonly #lists: Lists;
  readonly #events: Events;
  readonly #snapshots: Snapshots;
  readonly #transfer: Transfer;
  readonly #versions: Versions;
  readonly #access: Access;

  constructor(options: FlowgateClientOptions = {}) {
    checkOptions('FlowgateClient', options);
    const { apiGroups = DEFAULTS.apiGroups, timeoutMs = DEFAULTS.timeoutMs } = options;
    if (!Array.isArray(apiGroups) || apiGroups.length === 0) {
      throw new TypeError('apiGroups must be a list of at least one group, such as flowgate');
    }
    this.#apiGroups = [...apiGroups];
    this.#backend = makeBackend({ ...options, apiGroups: this.#apiGroups });
    const asking = new Asking(this.#backend, timeoutMs);
    this.#asking = asking;
    this.#lists = new Lists(asking);
    this.#events = new Events(asking);
    this.#snapshots = new Snapshots(asking);
    this.#transfer = new Transfer(asking);
    this.#versions = new Versions(asking);
    this.#access = new Access(asking);
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
    checkBeforeSending(document, this.#apiGroups);
    return this.#asking.call('loadAndRegister', options, (backend, signal) =>
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
    const { sync = false, syncUntil, idempotencyKey } = options;
    const labels = checkedLabels(options.labels);
    const request = { workflowId, input: input ?? {}, labels, sync, syncUntil, idempotencyKey };
    checkInput(request.input);
    checkFlag('sync', sync);
    checkSyncUntil(syncUntil, sync);
    checkKey(idempotencyKey);
    const started = this.#asking.waitingCall('startWorkflow', options, (backend, signal) =>
      backend.start(request, signal),
    );
    return (await started) as RunRecord<State>;
  }

  /**
   * Starts 1 to 1,000 runs, and gives what became of each, in their order, as they begin: one that is refused stops no
   * other. Where the call fails in the middle, make it again with the same keys: what has begun is answered, and the rest
   * is started.
   */
  async startBatch<State extends object = JsonObject, Input extends object = object>(
    workflowId: string,
    runs: readonly BatchedStart<Input>[],
    options: CallOptions = {},
  ): Promise<readonly StartedOrRefused<State>[]> {
    const request = batchRequest(workflowId, runs);
    const started = this.#asking.call('startBatch', options, (backend, signal) =>
      backend.startBatch(request, signal),
    );
    return (await started) as readonly StartedOrRefused<State>[];
  }

  /** Reads a run. With `view: 'full'` its record has a `result` whatever its status, and says where it failed. */
  getRun<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: GetRunOptions & { readonly view: 'full' },
  ): Promise<FullRunRecord<State>>;
  getRun<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options?: GetRunOptions,
  ): Promise<RunRecord<State>>;
  async getRun<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: GetRunOptions = {},
  ): Promise<RunRecord<State>> {
    checkRun(workflowId, runId);
    const { view } = options;
    checkView(view);
    const request = { workflowId, runId, view };
    return (await this.#asking.call('getRun', options, (backend, signal) =>
      backend.get(request, signal),
    )) as RunRecord<State>;
  }

  /** As `getRun`, for whoever knows the run and not its workflow: ids of runs are unique. */
  getRunById<State extends object = JsonObject>(
    runId: string,
    options: GetRunOptions & { readonly view: 'full' },
  ): Promise<FullRunRecord<State>>;
  getRunById<State extends object = JsonObject>(
    runId: string,
    options?: GetRunOptions,
  ): Promise<RunRecord<State>>;
  async getRunById<State extends object = JsonObject>(
    runId: string,
    options: GetRunOptions = {},
  ): Promise<RunRecord<State>> {
    checkId('runId', runId);
    const { view } = options;
    checkView(view);
    return (await this.#asking.call('getRunById', options, (backend, signal) =>
      backend.getById({ runId, view }, signal),
    )) as RunRecord<State>;
  }

  /**
   * Continues after a pause, tries a failed run again, or goes back to the checkpoint that is named; with a `budget`, under
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
    const { idempotencyKey, syncUntil } = options;
    const budget = checkedBudget(options.budget);
    checkKey(idempotencyKey);
    checkAnsweredOnce(syncUntil);
    const steered = { budget, syncUntil, idempotencyKey };
    const request = { workflowId, runId, snapshotId: snapshotId ?? undefined, ...steered };
    const resumed = this.#asking.call('resume', options, (backend, signal) =>
      backend.resume(request, signal),
    );
    return (await resumed) as RunRecord<State>;
  }

  /**
   * Ends a run: what is in flight is notified, then the units of its `onCancel` run. It is then `failed`, and its `error`
   * says who cancelled it. One that is over already is answered as it is.
   */
  cancel<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: StopOptions = {},
  ): Promise<RunRecord<State>> {
    return this.#stop('cancel', { workflowId, runId }, options);
  }

  /** Pauses a run until it is resumed. One that is paused or over already is returned as it is. */
  pause<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: StopOptions = {},
  ): Promise<RunRecord<State>> {
    return this.#stop('pause', { workflowId, runId }, options);
  }

  /**
   * Tries again each compensation of a run that failed; the run must be over, and ends as it had ended. Where none has failed it
   * is refused: 409, `nothing-to-compensate`.
   */
  compensate<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: StopOptions = {},
  ): Promise<RunRecord<State>> {
    return this.#stop('compensate', { workflowId, runId }, options);
  }

  /**
   * A new run that begins where this one was, at a checkpoint or just before a unit, with other input where some is
   * given; the run itself stays as it is. Without `from` it begins again from the start.
   */
  async fork<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: ForkOptions = {},
  ): Promise<RunRecord<State>> {
    const request = forkRequest({ workflowId, runId }, options);
    const forked = this.#asking.waitingCall('fork', options, (backend, signal) =>
      backend.fork(request, signal),
    );
    return (await forked) as RunRecord<State>;
  }

  /** Decides at the gate that is open, and continues. */
  async respondHITL<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    approved: boolean,
    responder = 'sdk',
    options: RespondOptions = {},
  ): Promise<RunRecord<State>> {
    checkRun(workflowId, runId);
    checkDecision(approved, responder, options);
    const { gateId, comment, syncUntil, idempotencyKey } = options;
    checkKey(idempotencyKey);
    checkAnsweredOnce(syncUntil);
    const decision = { approved, responder, gateId, comment };
    const request = { workflowId, runId, ...decision, syncUntil, idempotencyKey };
    const decided = this.#asking.call('respondHITL', options, (backend, signal) =>
      backend.respond(request, signal),
    );
    return (await decided) as RunRecord<State>;
  }

  /** Asks until the run is completed, paused or failed. Throws a `FlowgateWaitTimeoutError`. */
  async waitForRun<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    options: WaitOptions = {},
  ): Promise<RunRecord<State>> {
    checkOptions('waitForRun', options);
    const timeoutMs = checkedTimeout(options.timeoutMs ?? Infinity);
    const read = (signal: AbortSignal): Promise<RunRecord> => this.getRun(workflowId, runId, { signal });
    const stopped = whenStopped(read, { signal: options.signal, timeoutMs });
    return (await stopped) as RunRecord<State>;
  }

  /** One page of what happened in the run, oldest first. */
  async getMessages(workflowId: string, runId: string, options: MessagesOptions = {}): Promise<MessagePage> {
    checkRun(workflowId, runId);
    const { after: oldName, cursor: after = oldName, limit } = options;
    checkPage(after, limit);
    return this.#asking.call('getMessages', options, (backend, signal) =>
      backend.messages({ workflowId, runId, after, limit }, signal),
    );
  }

  /** One page of the runs that pass, newest first. */
  listRuns(options: ListRunsOptions = {}): Promise<Page<RunItem>> {
    return this.#lists.runs(options);
  }

  /** All runs that pass, newest first, page by page. */
  eachRun(options: ListRunsOptions = {}): AsyncIterableIterator<RunItem> {
    return this.#lists.eachRun(options);
  }

  /** The newest runs that pass, and what becomes of them, until the loop is left. */
  watchRuns(options: WatchRunsOptions = {}): AsyncIterableIterator<ListChange<RunItem>> {
    return this.#lists.watchRuns(options);
  }

  /** One page of the gates of all runs, newest first, and how many wait for a decision. */
  listGates(options: ListGatesOptions = {}): Promise<GatePage> {
    return this.#lists.gates(options);
  }

  /** All gates that pass, newest first, page by page. */
  eachGate(options: ListGatesOptions = {}): AsyncIterableIterator<GateItem> {
    return this.#lists.eachGate(options);
  }

  /** The newest gates that pass, and what becomes of them, until the loop is left. */
  watchGates(options: WatchGatesOptions = {}): AsyncIterableIterator<ListChange<GateItem>> {
    return this.#lists.watchGates(options);
  }

  /** One page of what the run did, oldest first. */
  async getEvents(workflowId: string, runId: string, options: EventsOptions = {}): Promise<EventPage> {
    return this.#events.page({ workflowId, runId }, options);
  }

  /** One event, with all of its values. */
  async getEvent(
    workflowId: string,
    runId: string,
    seq: number,
    options: EventOptions = {},
  ): Promise<RunEvent> {
    return this.#events.one({ workflowId, runId }, seq, options);
  }

  /** All that the run did until now, oldest first, page by page. */
  eachEvent(
    workflowId: string,
    runId: string,
    options: Omit<EventsOptions, 'tail'> = {},
  ): AsyncIterableIterator<RunEvent> {
    return this.#events.each({ workflowId, runId }, options);
  }

  /**
   * What the run did and does, each event once, until it is over: `getRun` then says how it ended. A connection that is lost
   * is taken up again where it was.
   */
  watchRun(
    workflowId: string,
    runId: string,
    options: WatchRunOptions = {},
  ): AsyncIterableIterator<RunEvent> {
    return this.#events.watchRun({ workflowId, runId }, options);
  }

  /** One page of the checkpoints of a run, newest first: `resume` and `fork` take their ids. */
  async listSnapshots(workflowId: string, runId: string, options: PageOptions = {}): Promise<SnapshotPage> {
    return this.#snapshots.page({ workflowId, runId }, options);
  }

  /** The shared state as it was at a checkpoint. */
  async getSnapshot<State extends object = JsonObject>(
    workflowId: string,
    runId: string,
    snapshotId: string,
    options: CallOptions = {},
  ): Promise<Snapshot<State>> {
    return (await this.#snapshots.one({ workflowId, runId }, snapshotId, options)) as Snapshot<State>;
  }

  /** What all runs do from now on, until the loop is left. */
  watchAll(options: WatchAllOptions = {}): AsyncIterableIterator<WatchedEvent> {
    return this.#events.watchAll(options);
  }

  /** The lines of the run's export, each with its line break: NDJSON for `importRun`, here or at another service. */
  exportRun(
    workflowId: string,
    runId: string,
    options: Omit<WatchBounds, 'timeoutMs'> = {},
  ): AsyncIterableIterator<string> {
    return this.#transfer.exportRun({ workflowId, runId }, options);
  }

  /**
   * Keeps a run that was exported, as it was: it never continues itself, a `fork` of it does. One that is here is refused by the
   * code `run-known`, also where this call brought it and the answer was lost: then the message says that it may have.
   */
  importRun(exported: RunExport, options: CallOptions = {}): Promise<RunRecord> {
    return this.#transfer.importRun(exported, options);
  }

  /** The workflows that are registered, in the order of their registration. */
  listWorkflows(options: CallOptions = {}): Promise<readonly WorkflowItem[]> {
    return this.#versions.workflows(options);
  }

  /**
   * Unregisters a workflow: later starts do not find it, its runs go on, and its versions stay as long as a run needs them. One
   * that is not registered is a `FlowgateApiError` of the status 404, also where this call removed it and the answer was lost: then
   * the message says that it may have.
   */
  deleteWorkflow(workflowId: string, options: CallOptions = {}): Promise<void> {
    return this.#versions.remove(workflowId, options);
  }

  /** The version of a workflow that is registered, or the one of a hash. */
  getWorkflow(workflowId: string, options: GetWorkflowOptions = {}): Promise<WorkflowVersionDetails> {
    return this.#versions.read(workflowId, options);
  }

  /** One page of the versions of a workflow that are kept, newest first. */
  listVersions(workflowId: string, options: PageOptions = {}): Promise<Page<WorkflowVersion>> {
    return this.#versions.list(workflowId, options);
  }

  /** All versions of a workflow that are kept, newest first, page by page. */
  eachVersion(workflowId: string, options: PageOptions = {}): AsyncIterableIterator<WorkflowVersion> {
    return this.#versions.each(workflowId, options);
  }

  /** What is other in the version `to` than in `from`, both of them hashes. */
  diffVersions(
    workflowId: string,
    from: string,
    to: string,
    options: CallOptions = {},
  ): Promise<WorkflowDiff> {
    return this.#versions.diff(workflowId, from, to, options);
  }

  /** Whether a workflow would be registered, and all that is wrong with it; nothing is registered. */
  validateOnService(
    source: WorkflowSource,
    bindings?: UsesBindings,
    options: CallOptions = {},
  ): Promise<WorkflowCheck> {
    return this.#versions.check(source, bindings, options);
  }

  /** What units answered before. In process nothing is searched, and there are no results. */
  async searchMemory(query: string, topK = 5, options: CallOptions = {}): Promise<MemorySearch> {
    checkText('query', query ?? null);
    const request = { query, topK: checkedTopK(topK) };
    return this.#asking.call('searchMemory', options, (backend, signal) => backend.search(request, signal));
  }

  /** Also of a service that cannot serve: then `ok` is false. */
  async health(options: CallOptions = {}): Promise<Health> {
    return this.#asking.call('health', options, (backend, signal) => backend.health(signal));
  }

  /** Who is asking, and what they may. Where nobody is asked, and in process, `auth` is `none`. */
  whoami(options: CallOptions = {}): Promise<WhoAmI> {
    return this.#access.whoami(options);
  }

  /**
   * Makes an API key, and gives its secret, which is shown this once. It is sent once: where the answer is lost, see by
   * `listKeys` whether the key was made, and revoke it.
   */
  makeKey(options: MakeKeyOptions = {}): Promise<MadeKey> {
    return this.#access.makeKey(options);
  }

  /** One page of your API keys, newest first; with `key:manage` of those of all, or of one owner. */
  listKeys(options: ListKeysOptions = {}): Promise<Page<ApiKey>> {
    return this.#access.keys(options);
  }

  /** All of them, newest first, page by page. */
  eachKey(options: ListKeysOptions = {}): AsyncIterableIterator<ApiKey> {
    return this.#access.eachKey(options);
  }

  /** Gives a key another secret, which is shown this once; it expires when it would have. Sent once, as `makeKey`. */
  rotateKey(id: string, options: RotateKeyOptions = {}): Promise<MadeKey> {
    return this.#access.rotateKey(id, options);
  }

  /** Revokes a key, and those that it made. One that is revoked is `unknown-key`, also after a lost answer, as `deleteWorkflow`. */
  revokeKey(id: string, options: CallOptions = {}): Promise<void> {
    return this.#access.revokeKey(id, options);
  }

  /** Revokes all that an owner has: their keys, and the tokens that were issued to them until now. Needs `key:manage` in `*`. */
  revokeOwner(owner: string, options: CallOptions = {}): Promise<void> {
    return this.#access.revokeOwner(owner, options);
  }

  /** One page of who did what, newest first. Needs `audit:read`; what belongs to no namespace is shown to those who have it in `*`. */
  listAudit(options: ListAuditOptions = {}): Promise<Page<AuditItem>> {
    return this.#access.audit(options);
  }

  /** All that pass, newest first, page by page. */
  eachAct(options: ListAuditOptions = {}): AsyncIterableIterator<AuditItem> {
    return this.#access.eachAct(options);
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
    how: 'cancel' | 'pause' | 'compensate',
    { workflowId, runId }: RunAddress,
    options: StopOptions,
  ): Promise<RunRecord<State>> {
    checkRun(workflowId, runId);
    const { by = 'sdk', idempotencyKey } = options;
    checkName('by', by);
    checkKey(idempotencyKey);
    const request = { workflowId, runId, by, idempotencyKey };
    const stopped = this.#asking.call(how, options, (backend, signal) => backend[how](request, signal));
    return (await stopped) as RunRecord<State>;
  }
}

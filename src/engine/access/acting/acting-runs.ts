import { UnknownRunError } from '../../../errors/run-errors.js';
import type { Actor } from '../../core/log/actor.js';
import type { Runs, WaitRequest, WatchRunsRequest } from '../../facets/runs.js';
import type { Audit } from '../../facets/audit.js';
import type { Workflows } from '../../facets/workflows.js';
import type { RunStep } from '../../facets/steps-and-changes.js';
import type { PublicEvent, PublicEventPage } from '../../public-events.js';
import type { ListChange, Page, RunItem } from '../../run-lists.js';
import type { FullRunRecord, RunRecord, Snapshot, SnapshotSummary } from '../../run-record.js';
import type { EncodeRecord } from '../../runtime/reading/records/ended-records.js';
import type { MessagePage, RunAddress, SnapshotPage } from '../../runtime/reading/run-reader.js';
import type {
  EventRequest,
  EventsRequest,
  FollowRequest,
  ForkRequest,
  ImportRequest,
  ListRunsRequest,
  StreamAllRequest,
  StreamRequest,
} from '../../runtime/run-requests.js';
import type { ResumeRequest, StopRequest } from '../../runtime/requests/run-steering.js';
import type { BatchedStartResult, StartBatchRequest } from '../../runtime/starting/batch-starter.js';
import type { StartRequest } from '../../runtime/starting/run-starter.js';
import type { EventWithCursor } from '../../runtime/streams/notified-entry.js';
import type { RunEventPages, RunEvents } from '../../runtime/streams/run-event-stream.js';
import type { Permission, RunStatus } from '../../vocabulary.js';
import type { Authority } from './authority.js';
import {
  addressed,
  addressedNow,
  assertPermitted,
  forbidden,
  scoped,
  scopedNow,
  streamed,
  type Acted,
} from './checked.js';
import type { EventIds } from './event-ids.js';
import type { UnknownWorkflows } from './unknown-workflows.js';

type Address = Acted<RunAddress>;
type PageRequest = Acted<Parameters<Runs['messages']>[0]>;
type NewestRequest = Acted<Parameters<Runs['newestSnapshots']>[0]>;

/**
 * `engine.runs` for somebody who acts. All of it rejects with a `ForbiddenError` where a permission is missing, and answers for
 * runs of other namespaces, and of workflows that are hidden, as for ids that never were.
 */
export class ActingRuns {
  constructor(
    private readonly runs: Runs,
    private readonly workflows: Pick<Workflows, 'has'>,
    private readonly unknowns: UnknownWorkflows,
    private readonly authority: Authority,
    /** Null: who acts is shown the engine's own. */
    private readonly eventIds: EventIds | null,
    private readonly audit: Audit,
  ) {}

  /** Throws an `UnknownWorkflowError` unless the workflow is registered; to know before anything else of a start is read. */
  assertStartable(workflowId: string): Promise<void> {
    return this.#ofWorkflow('run:start', workflowId, async () => {
      if (!(await this.#isRegistered(workflowId))) await this.unknowns.refuse(workflowId);
    });
  }

  start(request: Acted<StartRequest>): Promise<RunRecord> {
    const { workflowId } = request;
    return this.#ofWorkflow('run:start', workflowId, () =>
      this.unknowns.within(workflowId, this.runs.start(this.#filled(request))),
    );
  }

  startBatch(request: Acted<StartBatchRequest>): Promise<readonly BatchedStartResult[]> {
    const { workflowId } = request;
    return this.#ofWorkflow('run:start', workflowId, () =>
      this.unknowns.within(workflowId, this.runs.startBatch(this.#filled(request))),
    );
  }

  get(address: Address): Promise<RunRecord> {
    return this.#reading(address, () => this.runs.get(this.#filled(address)));
  }

  full(address: Address): Promise<FullRunRecord> {
    return this.#reading(address, () => this.runs.full(this.#filled(address)));
  }

  encoded(address: Address, encode: EncodeRecord): Promise<RunRecord | Uint8Array> {
    return this.#reading(address, () => this.runs.encoded(this.#filled(address), encode));
  }

  /** `action`: what is to be done with the run, which may need no permission to read it. */
  assertExists(address: Address, action: Permission = 'run:read'): Promise<void> {
    return this.#ofRun(action, address, () => this.runs.assertExists(this.#filled(address)));
  }

  async locate(runId: string): Promise<RunAddress | null> {
    await assertPermitted(this.authority, 'run:read');
    const address = await this.runs.locate(runId, this.namespace);
    if (address === null) return null;
    const verdict = await this.authority.verdict('run:read', address.workflowId);
    return verdict === 'allowed' ? address : null;
  }

  /** Whether runs of the workflow may be found: it is registered, or has some. */
  isListable(workflowId: string): Promise<boolean> {
    const hidden = (): boolean => false;
    return addressed(this.authority, { action: 'run:read', workflowId, hidden }, async () => {
      if (await this.#isRegistered(workflowId)) return true;
      const { items } = await this.list({ workflowId, limit: 1 });
      return items.length > 0;
    });
  }

  position(address: Address): Promise<number> {
    return this.#reading(address, () => this.runs.position(this.#filled(address)));
  }

  status(address: Address): Promise<RunStatus> {
    return this.#reading(address, () => this.runs.status(this.#filled(address)));
  }

  /** `action`: as for `assertExists`. */
  startedBy(address: Address, action: Permission = 'run:read'): Promise<Actor> {
    return this.#ofRun(action, address, () => this.runs.startedBy(this.#filled(address)));
  }

  resume(request: Acted<ResumeRequest>): Promise<RunRecord> {
    return this.#ofRun('run:steer', request, () => this.runs.resume(this.#filled(request)));
  }

  cancel(request: Acted<StopRequest>): Promise<RunRecord> {
    return this.#ofRun('run:steer', request, () => this.runs.cancel(this.#filled(request)));
  }

  pause(request: Acted<StopRequest>): Promise<RunRecord> {
    return this.#ofRun('run:steer', request, () => this.runs.pause(this.#filled(request)));
  }

  compensate(request: Acted<StopRequest>): Promise<RunRecord> {
    return this.#ofRun('run:steer', request, () => this.runs.compensate(this.#filled(request)));
  }

  wait(request: Acted<WaitRequest>): Promise<RunRecord> {
    return this.#reading(request, () => this.runs.wait(this.#filled(request)));
  }

  follow(request: Acted<FollowRequest>): AsyncIterable<RunStep> {
    return streamed(
      addressedNow(this.authority, { ...this.#unknown(request), action: 'run:read' }, () =>
        this.runs.follow(this.#filled(request)),
      ),
    );
  }

  messages(request: PageRequest): Promise<MessagePage> {
    return this.#reading(request, () => this.runs.messages(this.#filled(request)));
  }

  snapshotPage(request: PageRequest): Promise<SnapshotPage> {
    return this.#reading(request, () => this.runs.snapshotPage(this.#filled(request)));
  }

  newestSnapshots(request: NewestRequest): Promise<SnapshotPage> {
    return this.#reading(request, () => this.runs.newestSnapshots(this.#filled(request)));
  }

  list(request: Acted<ListRunsRequest> = {}): Promise<Page<RunItem>> {
    return scoped(this.authority, 'run:read', (scope) => this.runs.list({ ...this.#filled(request), scope }));
  }

  watch(request: Acted<WatchRunsRequest> = {}): AsyncGenerator<ListChange<RunItem>, void, void> {
    return streamed(
      scopedNow(this.authority, 'run:read', (scope) => this.runs.watch({ ...this.#filled(request), scope })),
    );
  }

  /** Rejects where `watch` would. */
  async checkWatch(request: Acted<ListRunsRequest>): Promise<void> {
    await assertPermitted(this.authority, 'run:read');
    this.runs.checkWatch(this.#filled(request));
  }

  /** Needs `run:start`, too. */
  fork(request: Acted<ForkRequest>): Promise<RunRecord> {
    return this.#ofRun('run:fork', request, () =>
      this.#ofRun('run:start', request, () => this.runs.fork(this.#filled(request))),
    );
  }

  events(request: Acted<EventsRequest>): Promise<PublicEventPage> {
    return this.#reading(request, () => this.runs.events(this.#filled(request)));
  }

  event(request: Acted<EventRequest>): Promise<PublicEvent | null> {
    return this.#reading(request, () => this.runs.event(this.#filled(request)));
  }

  stream(request: Acted<StreamRequest>): RunEvents {
    return streamed(
      addressedNow(this.authority, { ...this.#unknown(request), action: 'run:read' }, () =>
        this.runs.stream(this.#filled(request)),
      ),
    );
  }

  streamPages(request: Acted<StreamRequest>): RunEventPages {
    return streamed(
      addressedNow(this.authority, { ...this.#unknown(request), action: 'run:read' }, () =>
        this.runs.streamPages(this.#filled(request)),
      ),
    );
  }

  streamAll(request: Acted<StreamAllRequest> = {}): AsyncGenerator<EventWithCursor, void, void> {
    return streamed(
      scopedNow(this.authority, 'run:read', (scope) => this.#eventsOfAll({ ...request, scope })),
    );
  }

  streamAllPages(
    request: Acted<StreamAllRequest> = {},
  ): AsyncGenerator<readonly EventWithCursor[], void, void> {
    return streamed(
      scopedNow(this.authority, 'run:read', (scope) => this.#pagesOfAll({ ...request, scope })),
    );
  }

  async latestEvent(): Promise<string> {
    await assertPermitted(this.authority, 'run:read');
    const id = await this.runs.latestEvent();
    return this.eventIds === null ? id : (await this.eventIds.in(this.namespace)).shown(id);
  }

  async knowsEvent(id: string): Promise<boolean> {
    await assertPermitted(this.authority, 'run:read');
    if (this.eventIds === null) return this.runs.knowsEvent(id);
    const meant = (await this.eventIds.in(this.namespace)).meant(id);
    return meant !== null && this.runs.knowsEvent(meant);
  }

  export(address: Address): AsyncIterable<string> {
    return streamed(
      addressedNow(this.authority, { ...this.#unknown(address), action: 'run:export' }, () =>
        this.#recorded(address, this.runs.export(this.#filled(address))),
      ),
    );
  }

  /** As `engine.runs.import`; a run of a workflow whose runs the principal may not import is forbidden, too. */
  async import(request: Acted<ImportRequest>): Promise<RunRecord> {
    const action = 'run:import';
    const { authority } = this;
    await assertPermitted(authority, action);
    const admit = async (workflowId: string): Promise<void> => {
      if ((await authority.verdict(action, workflowId)) === 'allowed') return;
      throw forbidden(authority, action);
    };
    return this.runs.import({ ...this.#filled(request), admit });
  }

  snapshots(address: Address): Promise<readonly SnapshotSummary[]> {
    return this.#reading(address, () => this.runs.snapshots(this.#filled(address)));
  }

  snapshot(request: Address & { readonly snapshotId: string }): Promise<Snapshot> {
    return this.#reading(request, () => this.runs.snapshot(this.#filled(request)));
  }

  /** Nothing of an export is given before it is recorded; what cannot be exported is not. */
  async *#recorded(
    { workflowId, runId }: Address,
    lines: AsyncIterable<string>,
  ): AsyncGenerator<string, void> {
    const { namespace, by } = this.authority.identity;
    let act = this.audit.actBy(by, { action: 'run.export', namespace, workflowId, runId });
    for await (const line of lines) {
      await this.audit.record(act);
      act = null;
      yield line;
    }
  }

  async *#eventsOfAll(request: StreamAllRequest): AsyncGenerator<EventWithCursor, void, void> {
    for await (const page of this.#pagesOfAll(request)) {
      for (const event of page) {
        if (request.signal?.aborted === true) return;
        yield event;
      }
    }
  }

  #pagesOfAll(request: StreamAllRequest): AsyncGenerator<readonly EventWithCursor[], void, void> {
    return this.eventIds === null
      ? this.runs.streamAllPages(this.#filled(request))
      : this.#pagesWithIds(request, this.eventIds);
  }

  /** With the ids that a principal is shown, in place of the engine's. */
  async *#pagesWithIds(
    request: StreamAllRequest,
    eventIds: EventIds,
  ): AsyncGenerator<readonly EventWithCursor[], void, void> {
    const ids = await eventIds.in(this.namespace);
    // One that was never shown is refused as one that the engine does not know.
    const after = request.after === undefined ? undefined : (ids.meant(request.after) ?? '');
    for await (const page of this.runs.streamAllPages(this.#filled({ ...request, after })))
      yield page.map(({ id, event }) => ({ id: ids.shown(id), event }));
  }

  #isRegistered(workflowId: string): Promise<boolean> {
    return this.workflows.has(workflowId, this.namespace);
  }

  #reading<T>(address: Address, work: () => Promise<T>): Promise<T> {
    return this.#ofRun('run:read', address, work);
  }

  #ofRun<T>(action: Permission, address: Address, work: () => Promise<T>): Promise<T> {
    return addressed(this.authority, { ...this.#unknown(address), action }, work);
  }

  #ofWorkflow<T>(action: Permission, workflowId: string, work: () => Promise<T>): Promise<T> {
    const hidden = (): Promise<never> => this.unknowns.refuse(workflowId);
    return addressed(this.authority, { action, workflowId, hidden }, work);
  }

  /** How it is answered for a run that is hidden. */
  #unknown({ workflowId, runId }: Address) {
    const hidden = (): never => {
      throw new UnknownRunError(runId);
    };
    return { workflowId, hidden };
  }

  #filled<Request extends object>(request: Request) {
    return { ...request, ...this.authority.identity };
  }

  private get namespace(): string {
    return this.authority.identity.namespace;
  }
}

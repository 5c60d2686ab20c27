import type {
  CallOptions,
  FlowgateClientOptions,
  GetRunOptions,
  MessagesOptions,
  RespondOptions,
  ResumeOptions,
  RetryOptions,
  StartOptions,
  StopOptions,
  WaitOptions,
} from '../options.js';
import type { ListAuditOptions, ListKeysOptions, MakeKeyOptions, RotateKeyOptions } from './access.js';
import type { EventOptions, EventsOptions, WatchAllOptions, WatchRunOptions } from './events.js';
import type { ForkOptions } from './forks.js';
import type {
  ListGatesOptions,
  ListRunsOptions,
  PageOptions,
  WatchGatesOptions,
  WatchRunsOptions,
} from './lists.js';
import type { GetWorkflowOptions } from './versions.js';
import type { WatchBounds } from './watches.js';

/** What each call takes; those that read page after page take what their pages do. */
export interface OptionsOf {
  readonly FlowgateClient: FlowgateClientOptions;
  readonly retries: RetryOptions;
  readonly loadAndRegister: CallOptions;
  readonly startWorkflow: StartOptions;
  readonly startBatch: CallOptions;
  readonly getRun: GetRunOptions;
  readonly getRunById: GetRunOptions;
  readonly resume: ResumeOptions;
  readonly cancel: StopOptions;
  readonly pause: StopOptions;
  readonly compensate: StopOptions;
  readonly fork: ForkOptions;
  readonly respondHITL: RespondOptions;
  readonly waitForRun: WaitOptions;
  readonly getMessages: MessagesOptions;
  readonly listRuns: ListRunsOptions;
  readonly watchRuns: WatchRunsOptions;
  readonly listGates: ListGatesOptions;
  readonly watchGates: WatchGatesOptions;
  readonly getEvents: EventsOptions;
  readonly getEvent: EventOptions;
  readonly watchRun: WatchRunOptions;
  readonly watchAll: WatchAllOptions;
  readonly listSnapshots: PageOptions;
  readonly getSnapshot: CallOptions;
  readonly exportRun: Omit<WatchBounds, 'timeoutMs'>;
  readonly importRun: CallOptions;
  readonly listWorkflows: CallOptions;
  readonly deleteWorkflow: CallOptions;
  readonly getWorkflow: GetWorkflowOptions;
  readonly listVersions: PageOptions;
  readonly diffVersions: CallOptions;
  readonly validateOnService: CallOptions;
  readonly searchMemory: CallOptions;
  readonly health: CallOptions;
  readonly whoami: CallOptions;
  readonly makeKey: MakeKeyOptions;
  readonly listKeys: ListKeysOptions;
  readonly rotateKey: RotateKeyOptions;
  readonly revokeKey: CallOptions;
  readonly revokeOwner: CallOptions;
  readonly listAudit: ListAuditOptions;
}

/** Each name of the type, once: the compiler refuses one too few, and one too many. */
type NamesOf<Options> = { readonly [Name in keyof Options]-?: true };

const CALL: NamesOf<CallOptions> = { signal: true, timeoutMs: true };
const PAGE: NamesOf<PageOptions> = { limit: true, cursor: true, ...CALL };
const WATCH: NamesOf<WatchBounds> = { ...CALL, maxSilenceMs: true };
const GET_RUN: NamesOf<GetRunOptions> = { view: true, ...CALL };
const STOP: NamesOf<StopOptions> = { by: true, idempotencyKey: true, ...CALL };
const RUNS: NamesOf<Omit<ListRunsOptions, keyof PageOptions>> = {
  workflowId: true,
  status: true,
  labels: true,
  createdAfter: true,
  createdBefore: true,
  openGate: true,
  gateUnit: true,
  cancelled: true,
  origin: true,
  forkedFrom: true,
  parent: true,
  definitionHash: true,
  idPrefix: true,
};
const GATES: NamesOf<Omit<ListGatesOptions, keyof PageOptions>> = { status: true, workflowId: true };

/** By call, in the order in which they are named to whoever gives another one. */
export const OPTIONS: { readonly [Call in keyof OptionsOf]: NamesOf<OptionsOf[Call]> } = {
  FlowgateClient: {
    baseUrl: true,
    fetch: true,
    headers: true,
    token: true,
    namespace: true,
    timeoutMs: true,
    retries: true,
    apiGroups: true,
    maxResponseBytes: true,
    engine: true,
    engineOptions: true,
  },
  retries: { count: true, baseMs: true, maxMs: true, maxRetryAfterMs: true, renewAfterMs: true },
  loadAndRegister: CALL,
  startWorkflow: { labels: true, sync: true, syncUntil: true, idempotencyKey: true, ...CALL },
  startBatch: CALL,
  getRun: GET_RUN,
  getRunById: GET_RUN,
  resume: { budget: true, syncUntil: true, idempotencyKey: true, ...CALL },
  cancel: STOP,
  pause: STOP,
  compensate: STOP,
  fork: {
    from: true,
    input: true,
    state: true,
    unitInput: true,
    definition: true,
    labels: true,
    sync: true,
    syncUntil: true,
    idempotencyKey: true,
    ...CALL,
  },
  respondHITL: { gateId: true, comment: true, syncUntil: true, idempotencyKey: true, ...CALL },
  waitForRun: CALL,
  getMessages: { ...PAGE, after: true },
  listRuns: { ...RUNS, ...PAGE },
  watchRuns: { ...RUNS, limit: true, ...WATCH },
  listGates: { ...GATES, ...PAGE },
  watchGates: { ...GATES, limit: true, ...WATCH },
  getEvents: { afterSeq: true, limit: true, tail: true, view: true, ...CALL },
  getEvent: { view: true, ...CALL },
  watchRun: { afterSeq: true, view: true, ...WATCH },
  watchAll: { after: true, ...WATCH },
  listSnapshots: PAGE,
  getSnapshot: CALL,
  exportRun: { signal: true, maxSilenceMs: true },
  importRun: CALL,
  listWorkflows: CALL,
  deleteWorkflow: CALL,
  getWorkflow: { hash: true, ...CALL },
  listVersions: PAGE,
  diffVersions: CALL,
  validateOnService: CALL,
  searchMemory: CALL,
  health: CALL,
  whoami: CALL,
  makeKey: { owner: true, name: true, groups: true, grants: true, expiresAt: true, ...CALL },
  listKeys: { owner: true, ...PAGE },
  rotateKey: { overlapMs: true, ...CALL },
  revokeKey: CALL,
  revokeOwner: CALL,
  listAudit: { owner: true, action: true, runId: true, after: true, before: true, ...PAGE },
};

/**
 * Throws a `TypeError` for an option that the call does not have: plain JavaScript has no types that say so, and what is ignored
 * would be taken as done.
 */
export function checkOptions(call: keyof OptionsOf, options: unknown): void {
  const names = Object.keys(OPTIONS[call]);
  const known = names.join(', ');
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`The options of ${call} must be an object, of ${known}`);
  const other = Object.keys(options).find((name) => !names.includes(name));
  if (other !== undefined) throw new TypeError(`${other} is no option of ${call}: it has ${known}`);
}

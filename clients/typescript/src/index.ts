export { FlowgateClient } from './flowgate-client.js';
export { FlowgateClientError } from './errors/client-error.js';
export { FlowgateApiError } from './errors/api-error.js';
export { FlowgateValidationError } from './errors/validation-error.js';
export { FlowgateUnreachableError } from './errors/unreachable-error.js';
export { FlowgateWaitTimeoutError } from './errors/wait-timeout-error.js';
export type { ErrorDetail } from './errors/error-detail.js';
export type { DocumentFault } from './errors/validation-error.js';
export type { WorkflowSource } from './document/workflow-source.js';
export type { EngineLike } from './in-process/engine-like.js';
export type {
  CallerHeaders,
  CallOptions,
  FlowgateClientOptions,
  GetRunOptions,
  KeyedCallOptions,
  MessagesOptions,
  RespondOptions,
  ResumeOptions,
  RetryOptions,
  RunBudget,
  StartOptions,
  StopOptions,
  TokenSource,
  WaitOptions,
} from './options.js';
export type {
  ListAuditOptions,
  ListKeysOptions,
  MakeKeyOptions,
  RotateKeyOptions,
} from './options/access.js';
export type { BatchedStart } from './options/batches.js';
export type { EventOptions, EventsOptions, WatchAllOptions, WatchRunOptions } from './options/events.js';
export type { ForkOptions, ForkPlace } from './options/forks.js';
export type {
  GateFilter,
  Instant,
  ListGatesOptions,
  ListRunsOptions,
  PageOptions,
  RunFilter,
  WatchGatesOptions,
  WatchRunsOptions,
} from './options/lists.js';
export type { GetWorkflowOptions } from './options/versions.js';
export type { WatchBounds } from './options/watches.js';
export type { RunExport } from './facets/transfer.js';
export type {
  ApiKey,
  AuditActor,
  AuditItem,
  GrantedPermissions,
  KeyGrant,
  MadeKey,
  WhoAmI,
} from './types/access.js';
export type { RefusedStart, StartedOrRefused } from './types/batches.js';
export type { HttpBinding, UsesBindings } from './types/bindings.js';
export type {
  ContextPolicy,
  Flow,
  Policy,
  WorkflowDocument,
  WorkflowSpec,
  WorkflowUnit,
} from './types/documents.js';
export type { CutValue, EventPage, EventView, RunEvent, RunEventType, WatchedEvent } from './types/events.js';
export type { JsonObject, JsonValue } from './types/json.js';
export type {
  GateDecision,
  GateItem,
  GatePage,
  GateSummary,
  ListChange,
  Page,
  RunItem,
  RunOrigin,
} from './types/lists.js';
export type { PauseReason, RunMessage } from './types/messages.js';
export type {
  Compensation,
  FailureCode,
  FullRunRecord,
  Health,
  MemoryHit,
  MemorySearch,
  MessagePage,
  OpenWait,
  RecordView,
  RunFailure,
  RunRecord,
  RunStatus,
  WaitingFor,
  WorkflowResult,
} from './types/records.js';
export type { Snapshot, SnapshotItem, SnapshotPage } from './types/snapshots.js';
export type { UnitCall, UnitContext, UnitHandler, UnitRequest } from './types/units.js';
export type {
  DocumentWarning,
  WorkflowCheck,
  WorkflowDiff,
  WorkflowItem,
  WorkflowVersion,
  WorkflowVersionDetails,
} from './types/versions.js';
export type { AnsweredOnce, SyncUntil } from './types/sync-until.js';

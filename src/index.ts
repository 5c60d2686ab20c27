/** The public surface of the Nest library. The engine without Nest is `flowgate/engine`. */
import './node-version-check.js';
export { FlowgateModule } from './flowgate.module.js';
export type {
  FlowgateModuleAsyncOptions,
  FlowgateModuleOptions,
  FlowgateOptionsFactory,
} from './flowgate.module.js';
export { Engine, InMemoryMemoryIndex, InMemoryRunStore, SpanIds } from './engine/index.js';
export type {
  MemoryHit,
  MemoryIndex,
  RunMessage,
  RunRecord,
  RunStatus,
  RunStore,
  Snapshot,
} from './engine/index.js';
export type {
  SnapshotSummary,
  UnitContext,
  UnitHandler,
  UnitRequest,
  UnitTransport,
} from './engine/index.js';
export type { AppendOutcome, AttemptOutcome, Telemetry, TracingOptions } from './engine/index.js';
export type { BatchedStartResult, WorkflowResult, WorkflowSummary } from './engine/index.js';
export type { GateItem, GatePage, Page, PublicEvent, PublicEventPage, RunItem } from './engine/index.js';
export { SqliteMemoryIndex } from './storage/sqlite/sqlite-memory-index.js';
export { SqliteRunStore } from './storage/sqlite/sqlite-run-store.js';
export { FlowgateError } from './errors/flowgate-error.js';
export type { ErrorDetail } from './errors/flowgate-error.js';
export { YamlLoadError, YamlValidationError } from './errors/document-errors.js';
export { engineToken, flowgateToken, InjectEngine, InjectFlowgate } from './instance.js';
export type { FlowgatePlacement, HttpParts } from './config/placement.js';
export { FlowgateHealthIndicator } from './health/flowgate-health-indicator.js';
export type { FlowgateHealthResult } from './health/flowgate-health-indicator.js';
export type { HostRequest } from './config/host-request.js';
export type { WebPageOptions } from './config/edge-options.js';
export type { AuthOptions, KeyAuthOptions, OidcAuthOptions } from './config/access/auth-options.js';
export type { HostGrant, HostPrincipal, NamePrincipal } from './config/access/host-principal.js';
export { FlowgateAuthGuard, flowgateAuthGuard } from './http/host-guard/flowgate-auth.guard.js';
export { FlowgateNamespace, FlowgatePrincipal } from './http/host-guard/flowgate-principal.decorator.js';
export { FlowgateRequires } from './http/host-guard/flowgate-requires.decorator.js';
export type { Grant, Principal } from './engine/index.js';
export type { Permission } from './engine/vocabulary.js';
export { AuthUnavailableError, ForbiddenError, UnauthorizedError } from './errors/access-errors.js';
export type { McpOptions } from './config/mcp-options.js';

// Units, hooks and features of the host's providers, and what they are called with.
export { Flowgate } from './flowgate/flowgate.js';
export type {
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
} from './flowgate/run-requests.js';
export type { WorkflowHandle } from './flowgate/workflow-handle.js';
export { Unit } from './units/unit.decorator.js';
export type { UnitDeclarationOptions, UnitDecorator, UnitMethod } from './units/unit.decorator.js';
export { OnRunEvent } from './run-events/on-run-event.decorator.js';
export type {
  HookDecorator,
  HookMethod,
  OnRunEventOptions,
  RunEvent,
} from './run-events/on-run-event.decorator.js';
export type { FeatureOptions } from './features/feature.js';
export { DuplicateUnitError, NonRetryableError } from './errors/unit-errors.js';
export { InvalidInputError, InvalidRequestError, IdempotencyConflictError } from './errors/request-errors.js';
export {
  AmbiguousGateError,
  GateDecidedError,
  UnwoundError,
  NoCheckpointError,
  RunOverError,
  UnknownRunError,
  UnknownWorkflowError,
} from './errors/run-errors.js';
export {
  BusyError,
  RegistryFullError,
  SetupError,
  ShuttingDownError,
  StoreError,
} from './errors/service-errors.js';
export type {
  CallContext,
  Clock,
  JsonObject,
  JsonValue,
  ChangeDetails,
  HookMoment,
  RunMoment,
  RunStep,
  UnitLogger,
  UnitOptions,
  UnitReply,
  UnitResult,
} from './engine/index.js';

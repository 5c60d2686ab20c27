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
  KeyedCallOptions,
  MessagesOptions,
  RespondOptions,
  ResumeOptions,
  RetryOptions,
  RunBudget,
  StartOptions,
  StopOptions,
  WaitOptions,
} from './options.js';
export type { HttpBinding, UsesBindings } from './types/bindings.js';
export type {
  ContextPolicy,
  Flow,
  Policy,
  WorkflowDocument,
  WorkflowSpec,
  WorkflowUnit,
} from './types/documents.js';
export type { JsonObject, JsonValue } from './types/json.js';
export type { PauseReason, RunMessage } from './types/messages.js';
export type {
  Health,
  MemoryHit,
  MemorySearch,
  MessagePage,
  RunRecord,
  RunStatus,
  WorkflowResult,
} from './types/records.js';
export type { UnitCall, UnitContext, UnitHandler, UnitRequest } from './types/units.js';

/** `flowgate/engine`: the engine without Nest. */
import '../node-version-check.js';
import { InMemoryMemoryIndex } from './in-memory/in-memory-memory-index.js';
import { InMemoryRunStore } from './in-memory/in-memory-run-store.js';
import type { EngineOptions } from './engine-options.js';
import { languageTools } from './definitions/language-tools.js';
import { OffLoop } from './definitions/thread/off-loop.js';
import { workerFile } from './definitions/thread/worker-file.js';
import { Engine } from './engine.js';
import { replayExport, type Replay, type ReplayRequest } from './runtime/transfer/replay/replay-export.js';
import type { ValueCheck } from './units/in-process.js';
import { EnvironmentSecrets } from './units/secrets/environment-secrets.js';

/** An engine that keeps its runs in memory unless it is given a store. Call `open` before anything else. */
export function createEngine(options: Partial<EngineOptions> = {}): Engine {
  const { store = new InMemoryRunStore(), memory = new InMemoryMemoryIndex() } = options;
  return new Engine({ ...options, store, memory });
}

/**
 * A check for `registerUnit` that asks whether values satisfy a JSON Schema (2020-12). `subject` is what the values are, in
 * the sentences of its faults: `input`. Rejects with a `TypeError` for a schema that cannot be used.
 */
export async function schemaCheck(
  schema: Readonly<Record<string, unknown>>,
  subject: string,
): Promise<ValueCheck> {
  const { valueCheck } = await languageTools();
  return valueCheck(schema, subject);
}

/**
 * Replays an exported run with the engine of this version, and reports where it would do something else. Nothing is called,
 * and nothing kept. Rejects with an `InvalidRequestError`, a `YamlValidationError` or a `YamlLoadError`.
 */
export async function replayRun(request: ReplayRequest): Promise<Replay> {
  const compiler = new OffLoop(workerFile(undefined));
  try {
    return await replayExport(request, compiler);
  } finally {
    await compiler.close();
  }
}

export { DuplicateUnitError, NonRetryableError } from '../errors/unit-errors.js';
export { Engine, EnvironmentSecrets, InMemoryMemoryIndex, InMemoryRunStore };
export { anonymous, identified } from './core/log/actor.js';
export type { EngineOptions, Replay, ReplayRequest };
export type { ReplayDifference } from './runtime/transfer/replay/replay-log.js';
export type { Actor } from './core/log/actor.js';
export type { EngineFigures, EngineHealth, StandingFigures } from './engine.js';
export type { AppendOutcome, AttemptOutcome, Telemetry } from './ports/telemetry.js';
export { SystemClock } from './runtime/system-clock.js';
export { SpanIds } from './runtime/telemetry/span-ids.js';
export type { TracingOptions } from './runtime/telemetry/tracing-options.js';
export type { JsonObject, JsonValue } from './core/json.js';
export type { RunMessage } from './core/log/messages.js';
export type { EventView, RunStatus } from './vocabulary.js';
export { AskedPolicy } from './access/acting/asked-policy.js';
export { BUILT_IN_ROLES } from './access/roles.js';
export { usualNamespace } from './access/usual-namespace.js';
export { GrantPolicy } from './access/grant-policy.js';
export { isInScope } from './ports/access/policy.js';
export { isOwner, MAX_GRANTED_WORKFLOWS, MAX_GRANTS, MAX_GROUPS } from './ports/access/principal.js';
export type { ActingEngine } from './access/acting/acting-engine.js';
export type { Grant, Principal, Roles } from './ports/access/principal.js';
export type { AccessResource, AccessScope, Policy } from './ports/access/policy.js';
export { accessOf } from './ports/access/access-of.js';
export { auditOf } from './ports/audit/audit-of.js';
export { auditAct } from './ports/audit/audit-act.js';
export type { AuditAct, AuditActor, AuditFacts, AuditRow } from './ports/audit/audit-act.js';
export type { AuditCursor, AuditFilter, AuditStore } from './ports/audit/audit-store.js';
export type { ListAuditRequest } from './facets/audit.js';
export type { AuditItem } from './audit-items.js';
export type { Refusal } from './access/acting/principal-authority.js';
export type {
  AccessPeers,
  AccessStore,
  KeyMakerToken,
  PutKeyResult,
  StoredKey,
} from './ports/access/access-store.js';
export type { MemoryHit, MemoryIndex } from './ports/memory/memory-index.js';
export type { Secrets } from './ports/secrets.js';
export type { RunStore } from './ports/store/run-store.js';
export type { Clock } from './ports/clock.js';
export type { CallContext, UnitRequest } from './ports/unit-executor.js';
export type { UnitTransport } from './ports/unit-transport.js';
export type { CompensationSummary } from './core/state/debts/compensation-summary.js';
export type { OpenWait } from './core/state/view/open-waits.js';
export type { FullRunRecord, RunFailureDetails, RunRecord, Snapshot, SnapshotSummary } from './run-record.js';
export type { WorkflowDescription, WorkflowResult, WorkflowSummary } from './run-record.js';
export type { GateItem, GatePage, ListChange, Page, RunItem } from './run-lists.js';
export { eventsUntilStop } from './facets/events-until-stop.js';
export { PUBLIC_EVENT_TYPES } from './public-events.js';
export type { CutValue, PublicEvent, PublicEventPage, PublicEventType } from './public-events.js';
export type {
  EventRequest,
  EventsRequest,
  ForkPlace,
  ForkRequest,
  ImportRequest,
  ListGatesRequest,
  ListRunsRequest,
  StreamAllRequest,
  StreamRequest,
} from './runtime/run-requests.js';
export type {
  BatchedStart,
  BatchedStartResult,
  StartBatchRequest,
} from './runtime/starting/batch-starter.js';
export type { WorkflowDiff, WorkflowVersion, WorkflowVersionDetails } from './workflow-versions.js';
export type { DocumentWarning, WarningCode } from './language/document-warning.js';
export type { EngineLogger } from './ports/logger.js';
export type { MessagePage, SnapshotPage } from './runtime/reading/run-reader.js';
export { HOOK_MOMENTS, RUN_MOMENTS } from './facets/steps-and-changes.js';
export type {
  ChangeDetails,
  HookMoment,
  RunChange,
  RunMoment,
  RunObserver,
  RunStep,
} from './facets/steps-and-changes.js';
export type { OpenGate } from './runtime/reading/open-gates.js';
export type { UnitHandler, UnitOptions, UnitReply, UnitResult, ValueCheck } from './units/in-process.js';
export type { UnitContext } from './units/unit-context.js';
export type { UnitLogger } from './units/unit-logger.js';

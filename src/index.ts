/** The public surface of the Nest library. The engine without Nest is `flowgate/engine`. */
export { FlowgateModule } from './flowgate.module.js';
export type {
  FlowgateModuleAsyncOptions,
  FlowgateModuleOptions,
  FlowgatePlacement,
} from './flowgate.module.js';
export { Engine, InMemoryMemoryIndex, InMemoryRunStore } from './engine/index.js';
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
export type { WorkflowResult, WorkflowSummary } from './engine/index.js';
export { SqliteMemoryIndex } from './storage/sqlite/sqlite-memory-index.js';
export { SqliteRunStore } from './storage/sqlite/sqlite-run-store.js';
export { FlowgateError } from './errors/flowgate-error.js';
export type { ErrorDetail } from './errors/flowgate-error.js';
export { YamlLoadError, YamlValidationError } from './errors/document-errors.js';
export { engineToken, flowgateToken, InjectEngine, InjectFlowgate } from './config/instance.js';

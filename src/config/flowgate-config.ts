import type { StatusKind } from '../errors/http-status.js';
import type { OwnGates } from './mcp-options.js';

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type ConfiguredLogLevel = (typeof LOG_LEVELS)[number];

export const STORES = ['sqlite', 'memory'] as const;
export type StoreKind = (typeof STORES)[number];

export const REGISTRIES = ['memory', 'durable'] as const;
export type RegistryKind = (typeof REGISTRIES)[number];

export const TRACES_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type TracesSampler = (typeof TRACES_SAMPLERS)[number];

/** Every setting of the standalone service; read once, at its start, from the variable that each line names. */
export interface FlowgateConfig {
  /** `HOST`: the address to listen on. Default 127.0.0.1. */
  readonly host: string;
  /** `PORT`: 0 takes a free one. Default 8787. */
  readonly port: number;
  /** `FLOWGATE_DATA_DIR`: where `sqlite` keeps its files; one process owns it. Default `.flowgate`. */
  readonly dataDir: string;
  /** `FLOWGATE_STORE`: `memory` forgets every run at the end of the process. Default `sqlite`. */
  readonly store: StoreKind;
  /**
   * `FLOWGATE_REGISTRY`: `memory` forgets at the end of the process which workflows are registered, `durable` registers
   * them again at the next start. Default `memory`.
   */
  readonly registry: RegistryKind;
  /**
   * `FLOWGATE_API_GROUP`: the groups that a document's `apiVersion` may name, separated by commas; case does not count,
   * and here they are in lower case. Default `flowgate`.
   */
  readonly apiGroups: readonly string[];
  /** `FLOWGATE_SERVER_NAME`: `serverInfo.name` of the MCP gateway. Default `flowgate`. */
  readonly serverName: string;
  /**
   * `FLOWGATE_STATUSES`: `interface` responds with 500 to requests that would change an unknown workflow or run, as
   * the interface fixes it; `conventional` with 404, and with 409 for a missing checkpoint or a run that is over.
   * Default `interface`.
   */
  readonly statuses: StatusKind;
  /**
   * `FLOWGATE_MCP_TOOLS`: which tools agents have: `default`, `extended`, names of tools, and `-name` to remove one.
   * Default `default`.
   */
  readonly mcpTools: readonly string[];
  /** `FLOWGATE_MCP_WORKFLOW_TOOLS`: whether every registered workflow is a tool of its own. Default `false`. */
  readonly mcpWorkflowTools: boolean;
  /**
   * `FLOWGATE_MCP_OWN_GATES`: `refuse` refuses decisions over MCP at gates of runs that were started over MCP. Default
   * `allow`.
   */
  readonly mcpOwnGates: OwnGates;
  /** `FLOWGATE_MCP_WAIT_MS`: how long a call of a tool waits for its run to stop. Default 30,000. */
  readonly mcpWaitMs: number;
  /** `FLOWGATE_MCP_MAX_SESSIONS`: how many sessions of the 2025 revisions of MCP are kept at once. Default 1,000. */
  readonly mcpMaxSessions: number;
  /** `FLOWGATE_SSE_MAX_STREAMS`: how many event streams are open at once; more are refused (503). Default 1,000. */
  readonly sseMaxStreams: number;
  /** `FLOWGATE_SSE_PING_MS`: how often a stream is sent a comment line as a keep-alive. Default 15,000. */
  readonly ssePingMs: number;
  /** `FLOWGATE_SSE_STALLED_MS`: a stream whose client takes nothing for so long is disconnected. Default 60,000. */
  readonly sseStalledMs: number;
  /** `LOG_LEVEL`. Default `info`. */
  readonly logLevel: ConfiguredLogLevel;
  /** `FLOWGATE_METRICS`: whether there is `GET /metrics`; without it nothing is measured. Default `true`. */
  readonly metrics: boolean;
  /**
   * `OTEL_EXPORTER_OTLP_ENDPOINT`: where spans are sent, by OTLP over HTTP, to `/v1/traces` below it. Null (the
   * default): nothing is traced. It may hold credentials, so it is never shown.
   */
  readonly otlpEndpoint: string | null;
  /**
   * `OTEL_TRACES_SAMPLER`: which runs are traced. Runs begin their traces, so `parentbased_…` has the same effect as
   * the name without it. Default `parentbased_always_on`: all.
   */
  readonly tracesSampler: TracesSampler;
  /** `OTEL_TRACES_SAMPLER_ARG`: the share of runs that `traceidratio` traces. Default 1. */
  readonly tracesSamplerArg: number;
  /** `FLOWGATE_MAX_BODY_BYTES`: the longest request body. Default 8 MiB. */
  readonly maxBodyBytes: number;
  /** `FLOWGATE_MAX_UPLOAD_BYTES`: how much all bodies that are still arriving may hold together. Default 64 MiB. */
  readonly maxUploadBytes: number;
  /** `FLOWGATE_MAX_CONNECTIONS`: how many connections are open at once; more are closed unanswered. Default 10,000. */
  readonly maxConnections: number;
  /** `FLOWGATE_ALLOWED_ORIGINS`: other origins whose web pages are served, separated by commas. Default: none. */
  readonly allowedOrigins: readonly string[];
  /** `FLOWGATE_ALLOWED_HOSTS`: names other than the local ones by which the service may be called. Default: none. */
  readonly allowedHosts: readonly string[];
  /** `FLOWGATE_MAX_RESPONSE_BYTES`: the longest response of a remote unit. Default 10 MiB. */
  readonly maxResponseBytes: number;
  /**
   * `FLOWGATE_MAX_STATE_BYTES`: the largest shared state of one run, beyond which it is paused. Counted in characters
   * of its JSON: about bytes for Latin text; other scripts take up to three times as many. Open scopes, waits and
   * keys are counted as well (decision 0042). Default 64 MiB.
   */
  readonly maxStateBytes: number;
  /**
   * `FLOWGATE_MAX_LOG_BYTES`: the longest log of one run, counted in the same way, beyond which it is paused. Default
   * 1 GiB.
   */
  readonly maxLogBytes: number;
  /**
   * `FLOWGATE_MAX_NESTING`: how deep the branches, passes and dag nodes of one run may lie inside one another, beyond
   * which it is paused. Default 64.
   */
  readonly maxNesting: number;
  /**
   * `FLOWGATE_ALLOWED_ADDRESSES`: hosts (`*.example.com`), addresses and networks (`10.0.0.0/8`), separated by
   * commas. Units are called there and nowhere else. Default: everywhere except link-local and metadata addresses,
   * which no setting allows.
   */
  readonly allowedAddresses: readonly string[];
  /** `FLOWGATE_DENIED_ADDRESSES`: where units are not called, whatever is allowed. Default: none. */
  readonly deniedAddresses: readonly string[];
  /** `FLOWGATE_ALLOW_SELF_CALLS`: whether the call of a unit may start, steer or register. Default `false`. */
  readonly allowSelfCalls: boolean;
  /** `FLOWGATE_MAX_UNIT_MS`: the longest time-out of one attempt of a unit. Default 24 hours. */
  readonly maxUnitMs: number;
  /** `FLOWGATE_MAX_WORKFLOW_MS`: the longest `policy.timeout.workflowMs`. Default 366 days. */
  readonly maxWorkflowMs: number;
  /**
   * `FLOWGATE_MAX_DESCENDANTS`: how many runs that are not over one start may have below it, children, their children and
   * so on. Beyond it the unit that would start another one fails. Default 10,000.
   */
  readonly maxDescendants: number;
  /** `FLOWGATE_RESUME_WAIT_MS`: how long resume and hitl wait for the run to stop again. Default 30,000. */
  readonly resumeWaitMs: number;
  /**
   * `FLOWGATE_SHUTDOWN_GRACE_MS`: how long units in flight may take at a shutdown, at most ten minutes. A supervisor
   * must wait 5 s longer before it kills the process. Default 5,000.
   */
  readonly shutdownGraceMs: number;
  /** `FLOWGATE_CANCEL_GRACE_MS`: how long units in flight may take when their run is cancelled or paused. Default 5,000. */
  readonly cancelGraceMs: number;
  /**
   * `FLOWGATE_FORK_PAST_GATES`: whether a fork with another input, state or definition may begin after gates whose
   * decisions were made without knowing that change. Default `false`.
   */
  readonly forkPastGates: boolean;
  /** `FLOWGATE_RETENTION_DAYS`: runs that ended earlier are deleted. 0 keeps them. Default 30. */
  readonly retentionDays: number;
  /** `FLOWGATE_MAX_ENDED_RUNS`: how many ended runs are kept. Null (the default): unlimited. */
  readonly maxEndedRuns: number | null;
  /** `FLOWGATE_MAX_WORKFLOWS`: how many workflows may be registered at once. Default 1,000. */
  readonly maxWorkflows: number;
  /**
   * `FLOWGATE_MAX_DEFINITIONS`: how many definitions are kept, the registered ones and those that stored runs began
   * with. Default 10,000.
   */
  readonly maxDefinitions: number;
  /** `FLOWGATE_WORKFLOWS_DIR`: a folder of workflow documents to register at the start. Null: none. */
  readonly workflowsDir: string | null;
  /** `FLOWGATE_SECRETS_DIR`: a folder with one file per `${secret:NAME}`. Null: only `FLOWGATE_SECRET_<NAME>`. */
  readonly secretsDir: string | null;
  /** `FLOWGATE_ENCRYPTION_KEY`: 32 bytes, in base64 or hex. Secret: never shown. Null: nothing is encrypted. */
  readonly encryptionKey: string | null;
}

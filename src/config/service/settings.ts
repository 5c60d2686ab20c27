import { DEFAULTS } from '../../engine/engine-defaults.js';
import { STATUS_KINDS } from '../../errors/http-status.js';
import {
  AUDIT_DAYS,
  AUDIT_DEFAULTS,
  CLAIM_NAME,
  CLAIM_TEXT,
  CLIENT_ID,
  ISSUER,
  KEY_AUTH_DEFAULTS,
  KEY_DAYS,
  OIDC_AUTH_DEFAULTS,
  REQUESTS_PER_OWNER,
  SHA256_HEX,
  TOKEN_ALGORITHMS,
} from '../access/auth-options.js';
import { EDGE_DEFAULTS } from '../edge-options.js';
import { MCP_DEFAULTS, MCP_RANGES, OWN_GATES, TOOL_CHOICE } from '../mcp-options.js';
import { PUBLIC_URL } from '../access/public-url.js';
import { SSE_DEFAULTS, SSE_RANGES } from '../sse-options.js';
import { DURABILITIES, POSTGRES_DEFAULTS, SCHEMA_NAME } from './postgres-options.js';
import { flag, list, oneOf, secret, share, text, weakening, wholeNumber, type Setting } from './setting.js';

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type ConfiguredLogLevel = (typeof LOG_LEVELS)[number];

const STORES = ['sqlite', 'memory', 'postgres'] as const;
const REGISTRIES = ['memory', 'durable'] as const;
const TRACES_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const MIB = 1024 * 1024;
/**
 * Most orchestrators kill 10 s after SIGTERM unless they are given a longer grace, which an operator sets together
 * with this.
 */
const LONGEST_GRACE_MS = 600_000;
const ONE_DAY_MS = 86_400_000;
/** An origin as browsers write it; any other spelling would never equal what they send. */
const ORIGIN = /^(?!http:.*:80$)(?!https:.*:443$)[a-z][a-z0-9+.-]*:\/\/([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/;
const HOST_NAME = /^([\w-]+(\.[\w-]+)*|[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*)$/;
const DATABASE_URL = {
  allowed: 'a URL that begins with postgresql:// or postgres://',
  pattern: /^postgres(ql)?:\/\/\S+$/i,
};

/** Entries are checked where calls are made; a start with an invalid entry fails there with a message. */
const ADDRESSES = {
  allowed: 'hosts, addresses and networks (*.example.com, 10.0.0.0/8), separated by commas',
  pattern: /^[^\s,]{1,260}$/,
};
/** The longest time that a document can state. */
const TEN_YEARS_MS = 315_576_000_000;

/**
 * Every setting of the standalone service: the variable that it is read from once, at the start, its default, and what is
 * allowed. docs/operate.md says what each one means, and a test compares the two. A default that an option of the package has,
 * too, is that option's.
 */
export const SETTINGS = {
  host: text('HOST', '127.0.0.1', { allowed: 'a host name or an IP address', pattern: /^[\w.:%-]+$/ }),
  /** 0 takes a free one. */
  port: wholeNumber('PORT', 8787, [0, 65_535]),
  /** Where `sqlite` keeps its files; one process owns it. */
  dataDir: text('FLOWGATE_DATA_DIR', '.flowgate', { allowed: 'the path of a folder' }),
  /** `memory` forgets every run at the end of the process; `postgres` is shared by as many replicas as there are. */
  store: weakening(oneOf('FLOWGATE_STORE', 'sqlite', STORES), (store) =>
    store === 'memory'
      ? 'every run is forgotten at the end of the process: set it to sqlite or postgres'
      : null,
  ),
  /**
   * `memory` forgets the registered workflows at the end of the process; `durable` registers them again at the next start, and
   * is what holds with `postgres`.
   */
  registry: oneOf('FLOWGATE_REGISTRY', DEFAULTS.registry, REGISTRIES),
  /** May hold a password. Replicas of one service have the same. */
  databaseUrl: secret('FLOWGATE_DATABASE_URL', DATABASE_URL),
  /** For the one connection that a pooler may not swap, nor share; null: by the URL of the others. */
  databaseSessionUrl: secret('FLOWGATE_DATABASE_SESSION_URL', DATABASE_URL),
  databaseSchema: text('FLOWGATE_DATABASE_SCHEMA', POSTGRES_DEFAULTS.schema, SCHEMA_NAME),
  /** `elsewhere`: the platform syncs what the database's settings say is not synced. */
  databaseDurable: weakening(
    oneOf('FLOWGATE_DATABASE_DURABLE', POSTGRES_DEFAULTS.durability, DURABILITIES),
    (durable) =>
      durable === 'elsewhere'
        ? 'nothing checks that the database keeps what it acknowledged: leave it out, unless the platform syncs it'
        : null,
  ),
  /** In lower case, whatever the variable has. */
  apiGroups: list('FLOWGATE_API_GROUP', DEFAULTS.apiGroups, {
    allowed: 'names of letters, digits, dots and dashes, separated by commas',
    pattern: /^[a-z0-9][a-z0-9.-]{0,252}$/i,
  }),
  serverName: text('FLOWGATE_SERVER_NAME', EDGE_DEFAULTS.serverName, {
    allowed: 'a text of 1 to 128 characters',
    pattern: /^.{1,128}$/u,
  }),
  statuses: oneOf('FLOWGATE_STATUSES', EDGE_DEFAULTS.statuses, STATUS_KINDS),
  /** `none`: nobody is asked who they are. */
  auth: list('FLOWGATE_AUTH', ['none'], {
    allowed: 'none, or keys, oidc or both, separated by commas',
    pattern: /^(none|keys|oidc)$/,
  }),
  maxKeyDays: wholeNumber('FLOWGATE_MAX_KEY_DAYS', KEY_AUTH_DEFAULTS.maxKeyDays, KEY_DAYS),
  /** Of a key that makes keys while there is none that may; null: there is no such key. */
  bootstrapKeySha256: secret('FLOWGATE_BOOTSTRAP_KEY_SHA256', SHA256_HEX),
  oidcIssuer: text('FLOWGATE_OIDC_ISSUER', null, ISSUER),
  oidcAudience: list('FLOWGATE_OIDC_AUDIENCE', [], { ...CLAIM_TEXT, isExact: true }),
  oidcAlgorithms: list('FLOWGATE_OIDC_ALGORITHMS', OIDC_AUTH_DEFAULTS.algorithms, {
    allowed: `some of ${TOKEN_ALGORITHMS.join(', ')}, separated by commas`,
    pattern: new RegExp(`^(${TOKEN_ALGORITHMS.join('|')})$`),
    isExact: true,
  }),
  oidcSubjectClaim: text('FLOWGATE_OIDC_SUBJECT_CLAIM', OIDC_AUTH_DEFAULTS.subjectClaim, CLAIM_NAME),
  oidcGroupsClaim: text('FLOWGATE_OIDC_GROUPS_CLAIM', OIDC_AUTH_DEFAULTS.groupsClaim, CLAIM_NAME),
  oidcScopes: list('FLOWGATE_OIDC_SCOPES', OIDC_AUTH_DEFAULTS.scopes, { ...CLAIM_TEXT, isExact: true }),
  /** By which people sign in to the console; null: they paste a token. */
  oidcConsoleClientId: text('FLOWGATE_OIDC_CONSOLE_CLIENT_ID', OIDC_AUTH_DEFAULTS.consoleClientId, CLIENT_ID),
  /** What the owners and groups of tokens may do; null: nothing. */
  accessFile: text('FLOWGATE_ACCESS_FILE', null, { allowed: 'the path of a file' }),
  /** The address that the world knows; null: see `publicUrlOf`. */
  publicUrl: text('FLOWGATE_PUBLIC_URL', null, PUBLIC_URL),
  /** A second and replica; null: unlimited. */
  maxRequestsPerOwner: wholeNumber('FLOWGATE_MAX_REQUESTS_PER_OWNER', null, REQUESTS_PER_OWNER),
  metricsPublic: weakening(flag('FLOWGATE_METRICS_PUBLIC', false), (isPublic) =>
    isPublic
      ? 'anybody may read the metrics, with the ids of workflows: give the scraper a key instead'
      : null,
  ),
  /** Nothing is recorded where nobody is asked. */
  recordsAudit: weakening(flag('FLOWGATE_AUDIT', AUDIT_DEFAULTS.audit), (records) =>
    records ? null : 'nothing says afterwards who did what: set it to true',
  ),
  auditRetentionDays: wholeNumber(
    'FLOWGATE_AUDIT_RETENTION_DAYS',
    AUDIT_DEFAULTS.auditRetentionDays,
    AUDIT_DAYS,
  ),
  mcpTools: list('FLOWGATE_MCP_TOOLS', MCP_DEFAULTS.tools, TOOL_CHOICE),
  mcpWorkflowTools: flag('FLOWGATE_MCP_WORKFLOW_TOOLS', MCP_DEFAULTS.workflowTools),
  mcpOwnGates: oneOf('FLOWGATE_MCP_OWN_GATES', MCP_DEFAULTS.ownGates, OWN_GATES),
  mcpWaitMs: wholeNumber('FLOWGATE_MCP_WAIT_MS', MCP_DEFAULTS.waitMs, MCP_RANGES.waitMs),
  mcpMaxSessions: wholeNumber('FLOWGATE_MCP_MAX_SESSIONS', MCP_DEFAULTS.maxSessions, MCP_RANGES.maxSessions),
  sseMaxStreams: wholeNumber('FLOWGATE_SSE_MAX_STREAMS', SSE_DEFAULTS.maxStreams, SSE_RANGES.maxStreams),
  ssePingMs: wholeNumber('FLOWGATE_SSE_PING_MS', SSE_DEFAULTS.pingMs, SSE_RANGES.pingMs),
  sseStalledMs: wholeNumber('FLOWGATE_SSE_STALLED_MS', SSE_DEFAULTS.stalledMs, SSE_RANGES.stalledMs),
  logLevel: oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
  /** Without it nothing is measured. */
  metrics: flag('FLOWGATE_METRICS', true),
  /** The page at `/console/`. */
  console: flag('FLOWGATE_CONSOLE', true),
  /** Where spans are sent, to `/v1/traces` below it; null: nothing is traced. It may hold credentials. */
  otlpEndpoint: secret('OTEL_EXPORTER_OTLP_ENDPOINT', {
    allowed: 'an absolute http or https URL without a query',
    pattern: /^https?:\/\/[^\s/?#]+[^\s?#]*$/i,
  }),
  /** Runs begin their traces, so `parentbased_…` has the same effect as the name without it. */
  tracesSampler: oneOf('OTEL_TRACES_SAMPLER', 'parentbased_always_on', TRACES_SAMPLERS),
  /** The share of runs that `traceidratio` traces. */
  tracesSamplerArg: share('OTEL_TRACES_SAMPLER_ARG', 1),
  maxBodyBytes: wholeNumber('FLOWGATE_MAX_BODY_BYTES', EDGE_DEFAULTS.maxBodyBytes, [1_024, 512 * MIB]),
  /** All bodies that are still arriving, together. */
  maxUploadBytes: wholeNumber('FLOWGATE_MAX_UPLOAD_BYTES', EDGE_DEFAULTS.maxUploadBytes, [MIB, 16_384 * MIB]),
  /** More are closed unanswered. */
  maxConnections: wholeNumber('FLOWGATE_MAX_CONNECTIONS', 10_000, [1, 1_000_000]),
  allowedOrigins: list('FLOWGATE_ALLOWED_ORIGINS', [], {
    allowed:
      'origins such as https://flow.example.com (no path, no usual port, not null), separated by commas',
    pattern: ORIGIN,
  }),
  /** Whose pages may use the service in a browser, with a key or a token. */
  corsOrigins: list('FLOWGATE_CORS_ORIGINS', [], {
    allowed:
      'origins such as https://flow.example.com (no path, no usual port, not null), separated by commas',
    pattern: ORIGIN,
  }),
  allowedHosts: list('FLOWGATE_ALLOWED_HOSTS', [], {
    allowed: 'host names or addresses without a port, separated by commas',
    pattern: HOST_NAME,
  }),
  maxResponseBytes: wholeNumber('FLOWGATE_MAX_RESPONSE_BYTES', DEFAULTS.maxResponseBytes, [1_024, 512 * MIB]),
  /** Counted in characters of the state's JSON; open scopes, waits and keys are counted as well (decision 0042). */
  maxStateBytes: wholeNumber('FLOWGATE_MAX_STATE_BYTES', DEFAULTS.maxStateBytes, [1_024, 512 * MIB]),
  /** Counted in the same way. */
  maxLogBytes: wholeNumber('FLOWGATE_MAX_LOG_BYTES', DEFAULTS.maxLogBytes, [1_024, 1_024 * 1_024 * MIB]),
  maxNesting: wholeNumber('FLOWGATE_MAX_NESTING', DEFAULTS.maxNesting, [1, 1_000]),
  /** Not empty: units are called there and nowhere else. */
  allowedAddresses: list('FLOWGATE_ALLOWED_ADDRESSES', [], ADDRESSES),
  deniedAddresses: list('FLOWGATE_DENIED_ADDRESSES', [], ADDRESSES),
  allowSelfCalls: weakening(flag('FLOWGATE_ALLOW_SELF_CALLS', EDGE_DEFAULTS.allowSelfCalls), (allows) =>
    allows ? 'units may call this service with what a run brought along: set it to false' : null,
  ),
  maxUnitMs: wholeNumber('FLOWGATE_MAX_UNIT_MS', DEFAULTS.maxUnitMs, [1_000, TEN_YEARS_MS]),
  maxWorkflowMs: wholeNumber('FLOWGATE_MAX_WORKFLOW_MS', DEFAULTS.maxWorkflowMs, [1_000, TEN_YEARS_MS]),
  maxDescendants: wholeNumber('FLOWGATE_MAX_DESCENDANTS', DEFAULTS.maxDescendants, [1, 1_000_000]),
  resumeWaitMs: wholeNumber('FLOWGATE_RESUME_WAIT_MS', DEFAULTS.resumeWaitMs, [0, ONE_DAY_MS]),
  /** A supervisor must wait 5 s longer before it kills the process. */
  shutdownGraceMs: wholeNumber('FLOWGATE_SHUTDOWN_GRACE_MS', DEFAULTS.shutdownGraceMs, [0, LONGEST_GRACE_MS]),
  cancelGraceMs: wholeNumber('FLOWGATE_CANCEL_GRACE_MS', DEFAULTS.cancelGraceMs, [0, LONGEST_GRACE_MS]),
  forkPastGates: weakening(flag('FLOWGATE_FORK_PAST_GATES', DEFAULTS.forkPastGates), (forks) =>
    forks ? 'a fork may pass a gate at which nobody decided for it: set it to false' : null,
  ),
  /** 0 keeps all. A host keeps them until it says otherwise; a service on its own would fill its disk. */
  retentionDays: wholeNumber('FLOWGATE_RETENTION_DAYS', 30, [0, 36_500]),
  /** Null: unlimited. */
  maxEndedRuns: wholeNumber('FLOWGATE_MAX_ENDED_RUNS', null, [0, 1_000_000_000]),
  maxWorkflows: wholeNumber('FLOWGATE_MAX_WORKFLOWS', DEFAULTS.maxWorkflows, [1, 1_000_000]),
  /** Null: as many as there may be. */
  maxWorkflowsPerNamespace: wholeNumber('FLOWGATE_MAX_WORKFLOWS_PER_NAMESPACE', null, [1, 1_000_000]),
  /** Null: unlimited. */
  maxOpenRunsPerNamespace: wholeNumber('FLOWGATE_MAX_OPEN_RUNS_PER_NAMESPACE', null, [1, 100_000_000]),
  maxDefinitions: wholeNumber('FLOWGATE_MAX_DEFINITIONS', DEFAULTS.maxDefinitions, [1, 10_000_000]),
  workflowsDir: text('FLOWGATE_WORKFLOWS_DIR', null, { allowed: 'the path of a folder' }),
  /** Where the documents of that folder are registered; null: in `default`. */
  workflowsNamespace: text('FLOWGATE_WORKFLOWS_NAMESPACE', null, {
    allowed: 'a lower-case letter, then up to 62 lower-case letters, digits or dashes',
    pattern: /^[a-z][a-z0-9-]{0,62}$/,
  }),
  /** A folder with one file per `${secret:NAME}`; null: there is only `FLOWGATE_SECRET_<NAME>`. */
  secretsDir: text('FLOWGATE_SECRETS_DIR', null, { allowed: 'the path of a folder' }),
  /** Null: nothing is encrypted. */
  encryptionKey: secret('FLOWGATE_ENCRYPTION_KEY', {
    allowed: '32 bytes, written as 44 characters of base64 or 64 of hex',
    pattern: /^([A-Za-z0-9+/]{43}=|[0-9A-Fa-f]{64})$/,
  }),
};

/** The values of all settings. */
export type FlowgateConfig = {
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends Setting<infer Value>
    ? Value
    : never;
};

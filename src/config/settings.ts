import { STATUS_KINDS } from '../errors/http-status.js';
import { LOG_LEVELS, REGISTRIES, STORES, TRACES_SAMPLERS, type FlowgateConfig } from './flowgate-config.js';
import { MCP_DEFAULTS, MCP_RANGES, OWN_GATES, TOOL_CHOICE } from './mcp-options.js';
import { SSE_DEFAULTS, SSE_RANGES } from './sse-options.js';
import { flag, list, oneOf, secret, share, text, wholeNumber, type Setting } from './setting.js';

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

/** Entries are checked where calls are made; a start with an invalid entry fails there with a message. */
const ADDRESSES = {
  allowed: 'hosts, addresses and networks (*.example.com, 10.0.0.0/8), separated by commas',
  pattern: /^[^\s,]{1,260}$/,
};
/** The longest time that a document can state. */
const TEN_YEARS_MS = 315_576_000_000;

/** The variable of each field of the configuration. */
export const SETTINGS: { readonly [K in keyof FlowgateConfig]: Setting<FlowgateConfig[K]> } = {
  host: text('HOST', '127.0.0.1', { allowed: 'a host name or an IP address', pattern: /^[\w.:%-]+$/ }),
  port: wholeNumber('PORT', 8787, [0, 65_535]),
  dataDir: text('FLOWGATE_DATA_DIR', '.flowgate', { allowed: 'the path of a folder' }),
  store: oneOf('FLOWGATE_STORE', 'sqlite', STORES),
  registry: oneOf('FLOWGATE_REGISTRY', 'memory', REGISTRIES),
  apiGroups: list('FLOWGATE_API_GROUP', ['flowgate'], {
    allowed: 'names of letters, digits, dots and dashes, separated by commas',
    pattern: /^[a-z0-9][a-z0-9.-]{0,252}$/i,
  }),
  serverName: text('FLOWGATE_SERVER_NAME', 'flowgate', {
    allowed: 'a text of 1 to 128 characters',
    pattern: /^.{1,128}$/u,
  }),
  statuses: oneOf('FLOWGATE_STATUSES', 'interface', STATUS_KINDS),
  mcpTools: list('FLOWGATE_MCP_TOOLS', MCP_DEFAULTS.tools, TOOL_CHOICE),
  mcpWorkflowTools: flag('FLOWGATE_MCP_WORKFLOW_TOOLS', MCP_DEFAULTS.workflowTools),
  mcpOwnGates: oneOf('FLOWGATE_MCP_OWN_GATES', MCP_DEFAULTS.ownGates, OWN_GATES),
  mcpWaitMs: wholeNumber('FLOWGATE_MCP_WAIT_MS', MCP_DEFAULTS.waitMs, MCP_RANGES.waitMs),
  mcpMaxSessions: wholeNumber('FLOWGATE_MCP_MAX_SESSIONS', MCP_DEFAULTS.maxSessions, MCP_RANGES.maxSessions),
  sseMaxStreams: wholeNumber('FLOWGATE_SSE_MAX_STREAMS', SSE_DEFAULTS.maxStreams, SSE_RANGES.maxStreams),
  ssePingMs: wholeNumber('FLOWGATE_SSE_PING_MS', SSE_DEFAULTS.pingMs, SSE_RANGES.pingMs),
  sseStalledMs: wholeNumber('FLOWGATE_SSE_STALLED_MS', SSE_DEFAULTS.stalledMs, SSE_RANGES.stalledMs),
  logLevel: oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
  metrics: flag('FLOWGATE_METRICS', true),
  otlpEndpoint: secret('OTEL_EXPORTER_OTLP_ENDPOINT', {
    allowed: 'an absolute http or https URL without a query',
    pattern: /^https?:\/\/[^\s/?#]+[^\s?#]*$/i,
  }),
  tracesSampler: oneOf('OTEL_TRACES_SAMPLER', 'parentbased_always_on', TRACES_SAMPLERS),
  tracesSamplerArg: share('OTEL_TRACES_SAMPLER_ARG', 1),
  maxBodyBytes: wholeNumber('FLOWGATE_MAX_BODY_BYTES', 8 * MIB, [1_024, 512 * MIB]),
  maxUploadBytes: wholeNumber('FLOWGATE_MAX_UPLOAD_BYTES', 64 * MIB, [MIB, 16_384 * MIB]),
  maxConnections: wholeNumber('FLOWGATE_MAX_CONNECTIONS', 10_000, [1, 1_000_000]),
  allowedOrigins: list('FLOWGATE_ALLOWED_ORIGINS', [], {
    allowed:
      'origins such as https://flow.example.com (no path, no usual port, not null), separated by commas',
    pattern: ORIGIN,
  }),
  allowedHosts: list('FLOWGATE_ALLOWED_HOSTS', [], {
    allowed: 'host names or addresses without a port, separated by commas',
    pattern: HOST_NAME,
  }),
  maxResponseBytes: wholeNumber('FLOWGATE_MAX_RESPONSE_BYTES', 10 * MIB, [1_024, 512 * MIB]),
  maxStateBytes: wholeNumber('FLOWGATE_MAX_STATE_BYTES', 64 * MIB, [1_024, 512 * MIB]),
  maxLogBytes: wholeNumber('FLOWGATE_MAX_LOG_BYTES', 1_024 * MIB, [1_024, 1_024 * 1_024 * MIB]),
  maxNesting: wholeNumber('FLOWGATE_MAX_NESTING', 64, [1, 1_000]),
  allowedAddresses: list('FLOWGATE_ALLOWED_ADDRESSES', [], ADDRESSES),
  deniedAddresses: list('FLOWGATE_DENIED_ADDRESSES', [], ADDRESSES),
  allowSelfCalls: flag('FLOWGATE_ALLOW_SELF_CALLS', false),
  maxUnitMs: wholeNumber('FLOWGATE_MAX_UNIT_MS', ONE_DAY_MS, [1_000, TEN_YEARS_MS]),
  maxWorkflowMs: wholeNumber('FLOWGATE_MAX_WORKFLOW_MS', 366 * ONE_DAY_MS, [1_000, TEN_YEARS_MS]),
  maxDescendants: wholeNumber('FLOWGATE_MAX_DESCENDANTS', 10_000, [1, 1_000_000]),
  resumeWaitMs: wholeNumber('FLOWGATE_RESUME_WAIT_MS', 30_000, [0, ONE_DAY_MS]),
  shutdownGraceMs: wholeNumber('FLOWGATE_SHUTDOWN_GRACE_MS', 5_000, [0, LONGEST_GRACE_MS]),
  cancelGraceMs: wholeNumber('FLOWGATE_CANCEL_GRACE_MS', 5_000, [0, LONGEST_GRACE_MS]),
  forkPastGates: flag('FLOWGATE_FORK_PAST_GATES', false),
  retentionDays: wholeNumber('FLOWGATE_RETENTION_DAYS', 30, [0, 36_500]),
  maxEndedRuns: wholeNumber('FLOWGATE_MAX_ENDED_RUNS', null, [0, 1_000_000_000]),
  maxWorkflows: wholeNumber('FLOWGATE_MAX_WORKFLOWS', 1_000, [1, 1_000_000]),
  maxDefinitions: wholeNumber('FLOWGATE_MAX_DEFINITIONS', 10_000, [1, 10_000_000]),
  workflowsDir: text('FLOWGATE_WORKFLOWS_DIR', null, { allowed: 'the path of a folder' }),
  secretsDir: text('FLOWGATE_SECRETS_DIR', null, { allowed: 'the path of a folder' }),
  encryptionKey: secret('FLOWGATE_ENCRYPTION_KEY', {
    allowed: '32 bytes, written as 44 characters of base64 or 64 of hex',
    pattern: /^([A-Za-z0-9+/]{43}=|[0-9A-Fa-f]{64})$/,
  }),
};

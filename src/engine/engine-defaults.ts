const MIB = 1024 * 1024;
const ONE_DAY_MS = 24 * 3_600_000;
export const AUDIT_RETENTION_DAYS = 3_650;

/** What holds where an option of the engine is left out; the settings of the service begin with the same values. */
export const DEFAULTS = {
  registry: 'memory',
  apiGroups: ['flowgate'],
  resumeWaitMs: 30_000,
  sameInstantMs: 25,
  maxResponseBytes: 10 * MIB,
  maxStateBytes: 64 * MIB,
  maxLogBytes: 1_024 * MIB,
  maxNesting: 64,
  maxUnitMs: ONE_DAY_MS,
  maxWorkflowMs: 366 * ONE_DAY_MS,
  maxWorkflows: 1_000,
  maxWorkflowsPerNamespace: null,
  maxOpenRunsPerNamespace: null,
  maxDefinitions: 10_000,
  namesWorkflows: true,
  cancelGraceMs: 5_000,
  shutdownGraceMs: 5_000,
  maxExecutionsInFlight: 1_000,
  maxDescendants: 10_000,
  forkPastGates: false,
  encryptionKey: null,
  telemetry: null,
  tracing: {},
  retentionMs: null,
  audit: false,
  auditRetentionMs: AUDIT_RETENTION_DAYS * ONE_DAY_MS,
} as const;

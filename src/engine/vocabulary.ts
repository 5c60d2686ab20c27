// The closed lists of words that callers send and see, each stated here and nowhere else. It imports nothing, so that the core,
// the stores, the edge and the command line can all read it. What the clients say of them is compared with it by tests.

/** What callers see of a run that has not ended. */
export const UNFINISHED_STATUSES = ['pending', 'running', 'paused'] as const;

/** What callers see of a run's state (interface, section 3). */
export const RUN_STATUSES = [...UNFINISHED_STATUSES, 'completed', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What makes runs, as the first event of a run says: a client's request, a fork of another run, another run. */
export const START_ORIGINS = ['client', 'fork', 'child'] as const;

/**
 * What the first event of a log may say. Nothing makes runs by a schedule or in bulk yet, so documents, tools and messages do not
 * name these two; logs, stores and filters take them, because what is stored and what clients send outlives this build.
 */
export const LOG_ORIGINS = [...START_ORIGINS, 'schedule', 'bulk'] as const;

/** What the origin of a stored run may be, and a filter may ask for. */
export const RUN_ORIGINS = [...LOG_ORIGINS, 'import'] as const;
export type RunOrigin = (typeof RUN_ORIGINS)[number];

/** The origins that runs have: what is published. */
export const PUBLISHED_ORIGINS = [...START_ORIGINS, 'import'] as const satisfies readonly RunOrigin[];

/** Which gates a list has. */
export const GATE_STATUSES = ['open', 'decided'] as const;
export type GateStatus = (typeof GATE_STATUSES)[number];

/** What kinds of failures there are, as a `catch` and a full record name them. */
export const FAILURE_CODES = [
  'unit',
  'timeout',
  'rejected',
  'child',
  'budget',
  'expression',
  'route',
  'fail',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** `plain`: the record of the interface. `full`: with all that is known of the run, whatever its status. */
export const RECORD_VIEWS = ['plain', 'full'] as const;

/** Which events of a run are shown: what it did, or the log itself. */
export const EVENT_VIEWS = ['public', 'log'] as const;
export type EventView = (typeof EVENT_VIEWS)[number];

/** By which document a fork continues: that of its source, or the one that is registered now. */
export const FORK_DEFINITIONS = ['pinned', 'current'] as const;
export type ForkDefinition = (typeof FORK_DEFINITIONS)[number];

/** `gate`: a decision. `resume`: a resume. `child`: a run that it started. `time`: an instant. */
export const WAITING_FOR = ['gate', 'resume', 'child', 'time', 'unit'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/** How the undoing of what a run did stands. */
export const COMPENSATION_STATUSES = ['owed', 'running', 'done', 'failed'] as const;
export type CompensationStatus = (typeof COMPENSATION_STATUSES)[number];

/** How a request came; `unknown` in events of before this was recorded. */
export const WAYS_IN = ['http', 'mcp', 'in-process', 'engine', 'unknown'] as const;

/** When a request that waits is answered. `stop`: nothing of the run moves any more. `gate`: or a gate waits for a decision. */
export const SYNC_UNTIL = ['stop', 'gate'] as const;
export type SyncUntil = (typeof SYNC_UNTIL)[number];

/** The same of a request to a run that has begun. `recorded`: what it asks for is durable, and nothing else is waited for. */
export const ANSWERED_ONCE = [...SYNC_UNTIL, 'recorded'] as const;
export type AnsweredOnce = (typeof ANSWERED_ONCE)[number];

/** What a rejection means for the run. */
export const ON_REJECT = ['fail', 'continue'] as const;

/** What becomes of a gate that nobody decided in time. */
export const ON_TIMEOUT = ['reject', 'approve', 'fail'] as const;
export type OnTimeout = (typeof ON_TIMEOUT)[number];

/** Why a gate closed that nobody decided at. `timeout`: of a try around it, or of the run. */
export const GATE_CLOSINGS = ['race', 'timeout', 'cancel', 'failure', 'rewind'] as const;
export type GateClosing = (typeof GATE_CLOSINGS)[number];

/** `refused`: the unit has not begun its work. `unknown`: it may have done it. */
export const FAILURE_OUTCOMES = ['refused', 'unknown'] as const;

/** What a principal may be permitted to do. */
export const PERMISSIONS = [
  'run:read',
  'run:start',
  'run:steer',
  'run:fork',
  'run:export',
  'run:import',
  'workflow:read',
  'workflow:register',
  'gate:read',
  'gate:decide',
  'memory:read',
  'audit:read',
  'key:manage',
  'metrics:read',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What stands in the audit: what somebody did to a run, to what belongs to none, and what they were refused. */
export const AUDIT_ACTIONS = [
  'run.start',
  'run.fork',
  'run.import',
  'run.export',
  'run.resume',
  'run.pause',
  'run.cancel',
  'run.rewind',
  'run.compensate',
  'gate.decide',
  'workflow.register',
  'workflow.unregister',
  'key.make',
  'key.rotate',
  'key.revoke',
  'owner.revoke',
  'access-file.change',
  'service.start',
  'request.refuse',
  'request.refuse-more',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

import type { Refusal } from './access/acting/principal-authority.js';
import type { Policy } from './ports/access/policy.js';
import type { Clock } from './ports/clock.js';
import type { Ids } from './ports/ids.js';
import type { EngineLogger } from './ports/logger.js';
import type { MemoryIndex } from './ports/memory/memory-index.js';
import type { RunDriver } from './ports/run-driver.js';
import type { SharedDatabase } from './ports/shared-database.js';
import type { RunStore } from './ports/store/run-store.js';
import type { RunWatch } from './ports/run-watch.js';
import type { Secrets } from './ports/secrets.js';
import type { Telemetry } from './ports/telemetry.js';
import type { UnitTransport } from './ports/unit-transport.js';
import type { TracingOptions } from './runtime/telemetry/tracing-options.js';

/** Everything that an engine can be given; `store` and `memory` are what a host chooses first. */
export interface EngineOptions {
  /** Where runs are kept. */
  readonly store: RunStore;
  /** What `memory.search` searches. */
  readonly memory: MemoryIndex;
  /** What principals may do, for `engine.as`. Default: what their grants say. */
  readonly policy?: Policy;
  /** Which runs this process owns. Default: all of them; then no other process may use the store. */
  readonly driver?: RunDriver;
  /** How this process learns what others append. Default: it learns only of its own appends. */
  readonly watch?: RunWatch;
  /** What the database tells that several processes share. Default: there is none. */
  readonly database?: SharedDatabase;
  /**
   * `memory` (the default, and what the interface says): a workflow has to be registered again after a restart.
   * `durable`: what was registered before is registered again at the start.
   */
  readonly registry?: 'memory' | 'durable';
  /** Not empty: HTTP units are called at these hosts, addresses and networks alone (`*.example.com`, `10.0.0.0/8`). */
  readonly allowedAddresses?: readonly string[];
  /** HTTP units are not called at these, also where `allowedAddresses` has them. Default: none. */
  readonly deniedAddresses?: readonly string[];
  /**
   * How HTTP units are called. Default: over undici's pooled connections. One of a host's own has to keep the rules
   * of addresses itself; only what can be seen at registration is checked for it.
   */
  readonly transport?: UnitTransport;
  /** What `${secret:NAME}` stands for. Default: the environment's `FLOWGATE_SECRET_<NAME>`. */
  readonly secrets?: Secrets;
  /**
   * 32 bytes with which documents, plans, endpoints, header values and settings of calls are encrypted at rest; what runs
   * work with is not. Default: all is stored as it is.
   */
  readonly encryptionKey?: Uint8Array | null;
  /** How long an ended run is kept, in ms; null keeps all. Default null. */
  readonly retentionMs?: number | null;
  /**
   * Whether it is recorded who did what, for `engine.audit`. The store must keep an audit. Where `FlowgateModule` has the option
   * `auth`, that of `auth.audit` holds in its place. Default false.
   */
  readonly audit?: boolean;
  /** How long what was recorded is kept, in ms. Default 3650 days. */
  readonly auditRetentionMs?: number;
  /** Called when somebody who acts (`as`) was told that they may not. Must not throw. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** Called once when the engine closes, after its own last write: for whoever else writes to its store, which is closed next. */
  readonly beforeStoreCloses?: () => Promise<void>;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Default: logs nothing. */
  readonly logger?: EngineLogger;
  /** Measures what happens. Null (the default): nothing does. */
  readonly telemetry?: Telemetry | null;
  /**
   * How runs are traced by OpenTelemetry. Default: by the SDK that this process has registered, if any; `false`: not even
   * then.
   */
  readonly tracing?: TracingOptions | false;
  /** Groups that a document's `apiVersion` may name, in any case. Default: `flowgate`. */
  readonly apiGroups?: readonly string[];
  /**
   * The compiled `engine/definitions/thread/document-worker.js`, for a host that put Flowgate into one file: large
   * documents and inputs are read in a thread that runs it. Default: the one of the package; without it they are read on
   * the event loop.
   */
  readonly documentWorker?: URL;
  /**
   * How long `resume` and `respond` wait for the run to stop again, in ms; starts and forks with `sync`, too, while the run waits for
   * a unit that is not registered. Default 30,000.
   */
  readonly resumeWaitMs?: number;
  /**
   * Resumes and decisions that arrive within this many ms of one another are for the same pause or gate.
   * Default 25.
   */
  readonly sameInstantMs?: number;
  /** The longest response of a remote unit, in bytes. Default 10 MiB. */
  readonly maxResponseBytes?: number;
  /**
   * The largest shared state of one run, in bytes of JSON, estimated from its texts. A run that outgrows it is paused; once
   * the setting is raised a resume continues it. Default 64 MiB.
   */
  readonly maxStateBytes?: number;
  /** The longest log of one run, estimated in the same way; beyond it the run is paused. Default 1 GiB. */
  readonly maxLogBytes?: number;
  /** How deep branches, passes and dag nodes may lie inside one another; beyond it the run is paused. Default 64. */
  readonly maxNesting?: number;
  /**
   * The longest time-out of one attempt of a unit, in ms: a document or binding with a longer one is refused, a run of a
   * plan that was stored before is limited to it. Default 24 hours.
   */
  readonly maxUnitMs?: number;
  /** The longest `policy.timeout.workflowMs`, likewise. Default 366 days. */
  readonly maxWorkflowMs?: number;
  /** Workflows registered at once, over all namespaces. Default 1,000. */
  readonly maxWorkflows?: number;
  /** Workflows registered at once in one namespace; null: as many as there may be. Default null. */
  readonly maxWorkflowsPerNamespace?: number | null;
  /**
   * Runs of one namespace that are not over; null: any number. Beyond it nothing is started or forked there; children begin regardless, and
   * count. Processes that share a store exceed it by what the others begin within a second, at most. Default null.
   */
  readonly maxOpenRunsPerNamespace?: number | null;
  /**
   * Definitions that the store keeps: the registered ones, and those that stored runs began with. The others are removed
   * once there are so many, and every hour. Default 10,000.
   */
  readonly maxDefinitions?: number;
  /**
   * Whether an error for an unknown workflow names registered ones of nearly that name. Default true.
   */
  readonly namesWorkflows?: boolean;
  /**
   * How long attempts in flight may take to end when their run is cancelled or paused, in ms; 0 to 600,000. Default 5,000.
   */
  readonly cancelGraceMs?: number;
  /** How long `close` waits for units in flight to end, in ms. Default 5,000. */
  readonly shutdownGraceMs?: number;
  /**
   * Unit executions in flight in this process, over all runs. One run gets three fifths of them at most, since others share
   * them (decision 0036). Default 1,000.
   */
  readonly maxExecutionsInFlight?: number;
  /**
   * Runs that one start may have below it, children, their children and so on, that are not over. Beyond it the unit that
   * would start another one fails. Default 10,000.
   */
  readonly maxDescendants?: number;
  /**
   * Whether a fork with another input, state or definition may begin after gates that somebody decided without having seen
   * that. Default false.
   */
  readonly forkPastGates?: boolean;
}

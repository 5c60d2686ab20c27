import { messageOf } from '../errors/flowgate-error.js';
import { StoreError } from '../errors/service-errors.js';
import { DEFAULTS, type EngineOptions } from './engine-options.js';
import { LocalDriver } from './drivers/local/local-driver.js';
import type { Clock } from './ports/clock.js';
import { Gates } from './facets/gates.js';
import { Memory } from './facets/memory.js';
import { Runs } from './facets/runs.js';
import { Workflows } from './facets/workflows.js';
import type { RunDriver } from './ports/run-driver.js';
import type { UnitTransport } from './ports/unit-transport.js';
import { Admission } from './runtime/dispatch/admission.js';
import type { Definition } from './definitions/definition.js';
import { Definitions } from './definitions/definitions.js';
import { Fairness } from './runtime/mailbox/fairness.js';
import { LiveRuns } from './runtime/mailbox/live-runs.js';
import { SILENT } from './runtime/logger.js';
import { MemoryFollower } from './runtime/followers/memory-follower.js';
import { recoverRuns } from './runtime/ownership/recovery.js';
import { Registrar } from './definitions/registrar.js';
import { Retention } from './runtime/followers/retention.js';
import { RunReader } from './runtime/requests/run-reader.js';
import type { RunShell } from './runtime/mailbox/run-shell.js';
import { RunStarter } from './runtime/requests/run-starter.js';
import { RunSteering } from './runtime/requests/run-steering.js';
import { Settling } from './runtime/requests/settling.js';
import { systemClock } from './runtime/system-clock.js';
import { uuidIds } from './runtime/uuid-ids.js';
import { WaitingForUnits } from './runtime/dispatch/waiting-for-units.js';
import { createTransport } from './units/http/axios-transport.js';
import { copyJson } from './json/copy-json.js';
import type { UnitHandler } from './units/in-process.js';
import { EnvironmentSecrets } from './units/secrets/environment-secrets.js';
import { Sealer } from './definitions/sealer.js';
import { UnitRegistry } from './units/unit-registry.js';

const SHUTDOWN_POLL_MS = 10;
const WAKE_AGAIN_MS = 5_000;

/**
 * The whole of Flowgate without a server: register workflows, start runs, steer them, read them. Call `open`
 * first and `close` last. Errors are `FlowgateError`s with a stable `code`.
 */
export class Engine {
  readonly workflows: Workflows;
  readonly runs: Runs;
  readonly gates: Gates;
  readonly memory: Memory;

  private readonly options: Required<Omit<EngineOptions, 'ids'>>;
  private readonly clock: Clock;
  private readonly transport: UnitTransport;
  private readonly units: UnitRegistry;
  private readonly driver: RunDriver;
  private readonly registrar: Registrar;
  private readonly definitions: Definitions;
  private readonly live: LiveRuns;
  private readonly settling: Settling;
  private readonly waitingForUnits: WaitingForUnits;
  private readonly follower: MemoryFollower;
  private readonly retention: Retention;
  private readonly shell: RunShell;
  private closing: Promise<void> | null = null;

  constructor(options: EngineOptions) {
    const { clock = systemClock, logger = SILENT, transport = createTransport(), ids = uuidIds } = options;
    const secrets = options.secrets ?? new EnvironmentSecrets({ environment: process.env, folder: null });
    this.options = { ...DEFAULTS, ...options, clock, logger, transport, secrets };
    const { store, memory } = this.options;
    this.clock = clock;
    this.transport = transport;
    this.units = new UnitRegistry({
      transport,
      clock,
      secrets,
      maxResponseBytes: this.options.maxResponseBytes,
    });
    this.driver = new LocalDriver(clock);
    this.registrar = new Registrar(
      this.units,
      this.options.apiGroups,
      new Sealer(this.options.encryptionKey),
    );
    this.definitions = new Definitions(store, (stored) => this.registrar.restore(stored));
    this.live = new LiveRuns(store, this.definitions);
    this.settling = new Settling(clock);
    this.waitingForUnits = new WaitingForUnits(logger);
    this.follower = new MemoryFollower({
      store,
      memory,
      clock,
      logger,
      unitOf: async ({ runId, workflowId }, unitId) => {
        const definition = this.live.get(runId)?.definition ?? (await this.definitionOf(runId, workflowId));
        return definition?.plan.units.get(unitId) ?? null;
      },
    });
    this.shell = {
      store,
      driver: this.driver,
      clock,
      logger,
      fairness: new Fairness(),
      admission: new Admission(this.options.maxExecutionsInFlight),
      isClosing: () => this.isClosing,
      executorFor: (definition, unit) => this.units.executorFor(unit, this.bindingOf(definition, unit.uses)),
      awaitUnit: (uses, runId) => this.waitingForUnits.add(uses, runId),
      putOffRecovery: (uses, runId) => this.waitingForUnits.putOffRecovery(uses, runId),
      changed: (run) => {
        this.settling.changed(run);
        this.follower.wake();
      },
      retire: (run) => this.live.retire(run),
    };
    this.retention = new Retention({ store, memory, clock, logger, retentionMs: this.options.retentionMs });
    const reader = new RunReader(store, (runId) => this.live.get(runId));
    const starter = new RunStarter(
      this.definitions,
      this.live,
      reader,
      this.settling,
      ids,
      this.shell,
      copyJson,
    );
    const steering = new RunSteering(this.live, reader, this.settling, this.shell, {
      waitMs: this.options.resumeWaitMs,
      sameInstantMs: this.options.sameInstantMs,
    });
    this.workflows = new Workflows(this.registrar, this.definitions, clock);
    this.runs = new Runs(starter, steering, reader);
    this.gates = new Gates(steering);
    this.memory = new Memory(memory);
  }

  /** Opens the store and takes up the runs that the last process left in flight. */
  async open(): Promise<void> {
    const { store, memory } = this.options;
    await store.open();
    if ((await memory.open()).isNew) await this.follower.startOver();
    this.driver.start((runId) => void this.wake(runId));
    await recoverRuns(this.live, this.shell);
    this.follower.wake();
    this.retention.start();
  }

  /** True from the call of `close` on. */
  get isClosing(): boolean {
    return this.closing !== null;
  }

  /** Makes code of this process answer to a `uses` name; runs that wait for it go on. */
  registerUnit(uses: string, handler: UnitHandler): void {
    if (uses.startsWith('builtin.'))
      throw new TypeError(`${uses}: names that begin with builtin. are reserved.`);
    this.units.register(uses, handler);
    for (const runId of this.waitingForUnits.take(uses)) {
      void this.wake(runId, this.waitingForUnits.takeRecovery(runId) ? 'recover' : 'timer-due');
    }
  }

  /** Rejects when the store cannot serve. */
  check(): Promise<void> {
    return this.options.store.check();
  }

  /**
   * No new runs; units in flight get `shutdownGraceMs` to come to their end. What is still in flight then is
   * called again, under the same key, by the next process that opens the store. Safe to call twice.
   */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    this.retention.stop();
    await this.driver.stop();
    const deadline = this.clock.now() + this.options.shutdownGraceMs;
    while (this.isBusy() && this.clock.now() < deadline) await this.pause();
    for (const run of this.live.all()) run.dispatcher.abandon();
    this.settling.release();
    while (this.isBusy() && this.clock.now() < deadline + this.options.shutdownGraceMs) await this.pause();
    await this.follower.stop();
    await this.transport.close();
    await this.options.memory.close();
    await this.options.store.close();
  }

  /** A unit is in flight, or what one answered is not stored yet. */
  private isBusy(): boolean {
    for (const run of this.live.all()) if (!run.isIdle) return true;
    return false;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, SHUTDOWN_POLL_MS);
    });
  }

  private async wake(runId: string, type: 'timer-due' | 'recover' = 'timer-due'): Promise<void> {
    if (this.isClosing) return;
    try {
      const wasLive = this.live.get(runId) !== undefined;
      const run = await this.live.acquire(runId, this.shell);
      await run?.deliver({ type, at: this.clock.now() });
      // The last process may have died in the middle of a long turn.
      if (!wasLive) await run?.deliver({ type: 'continue', at: this.clock.now() });
    } catch (error) {
      // A live run keeps the signal itself; one that could not be loaded for the store's sake is woken again.
      if (error instanceof StoreError && this.live.get(runId) === undefined) {
        this.driver.wake({ runId, at: this.clock.now() + WAKE_AGAIN_MS });
      }
      this.options.logger.error('A run could not be woken', {
        runId,
        error: messageOf(error),
      });
    }
  }

  /** The endpoint and headers of today for a run that may have been pinned long ago. */
  private bindingOf(definition: Definition, uses: string) {
    const current = this.definitions.current(definition.plan.workflowId);
    return current?.bindings.get(uses) ?? definition.bindings.get(uses);
  }

  private async definitionOf(runId: string, workflowId: string): Promise<Definition | null> {
    const row = await this.options.store.readRow({ runId });
    if (row === null) return null;
    return this.definitions.pinnedTo(row.definitionHash, workflowId).catch(() => null);
  }
}

import { ActingEngine } from './access/acting/acting-engine.js';
import { AskedPolicy } from './access/acting/asked-policy.js';
import { unchecked } from './access/acting/authority.js';
import { EventIds } from './access/acting/event-ids.js';
import { PrincipalAuthority } from './access/acting/principal-authority.js';
import { GrantPolicy } from './access/grant-policy.js';
import { assemble, type EngineParts } from './assemble.js';
import type { EngineOptions } from './engine-options.js';
import { Audit } from './facets/audit.js';
import { Gates } from './facets/gates.js';
import { Memory } from './facets/memory.js';
import { Runs } from './facets/runs.js';
import { Workflows } from './facets/workflows.js';
import { UnauthorizedError } from '../errors/access-errors.js';
import { StoreError } from '../errors/service-errors.js';
import { isOwner, type Principal } from './ports/access/principal.js';
import type { DriverFigures } from './ports/run-driver.js';
import type { ConnectionFigures, HeldUp } from './ports/shared-database.js';
import type { InFlightCount } from './runtime/ownership/in-flight.js';
import { AUDIT_FOLLOWER } from './runtime/followers/audit-follower.js';
import { indexOlderRuns } from './runtime/ownership/index-older-runs.js';
import type { JsonValue } from './core/json.js';
import type { Actor } from './core/log/actor.js';
import { DEFAULT_NAMESPACE } from './core/namespace.js';
import { checkNamespace } from './runtime/starting/checked-start.js';
import type { UnitHandler, UnitOptions } from './units/in-process.js';

const SHUTDOWN_POLL_MS = 10;
/** An outcome from the last moment of the grace is stored by then, unless the disk is failing. */
const STORED_WITHIN_MS = 2_000;

/** The health of the engine. */
export interface EngineHealth {
  /** `ok`, or a sentence: what keeps the store from serving, and what to do. */
  readonly store: string;
  /** Entries of the log that the memory has not read yet; a million at most. */
  readonly memoryBehind: number;
  /** Runs in this process that are paused because a decision failed. */
  readonly undecidedRuns: number;
  /** How often, since this process began, a stalled run was read again: each time because of a defect of Flowgate. */
  readonly stalledRuns: number;
  /** What keeps those who follow the log of a shared database from what is newer; null: nothing does. */
  readonly heldUp: HeldUp | null;
}

/** How busy the process is. */
export interface EngineFigures {
  readonly runsInMemory: number;
  /** Calls of units under way. */
  readonly unitsInFlight: number;
  /** `busy`: runs with a decision or a write under way. `mails`: messages that wait until that is done. */
  readonly mailboxes: { readonly busy: number; readonly mails: number };
  /** As `EngineHealth.stalledRuns`. */
  readonly stalledRuns: number;
  /** What it has of a store that several processes share. Absent: it is alone with its store. */
  readonly replica?: DriverFigures;
  /** To a database that several processes share. Absent: it has none. */
  readonly connections?: ConnectionFigures;
}

/** Runs of all namespaces that have not ended, by status; and next to them what waits. */
export interface StandingFigures {
  readonly pending: number;
  readonly running: number;
  readonly paused: number;
  readonly openGates: number;
  /** Entries of the log that the memory has not read yet; a million at most. */
  readonly memoryBehind: number;
}

/**
 * The whole of Flowgate without a server: register workflows, start runs, steer them, read them. Call `open`
 * first and `close` last. Errors are `FlowgateError`s with a stable `code`.
 */
export class Engine {
  readonly workflows: Workflows;
  readonly runs: Runs;
  readonly gates: Gates;
  readonly memory: Memory;
  readonly audit: Audit;

  readonly #parts: EngineParts;
  readonly #policy: AskedPolicy;
  readonly #onRefusal: EngineOptions['onRefusal'];
  readonly #eventIds: EventIds;
  /** True before `close` does anything: a slot that becomes free while it releases runs is not given to another. */
  #isClosing = false;
  #closing: Promise<void> | null = null;
  /** Null until the engine has released what it had in flight. */
  #left: InFlightCount | null = null;

  constructor(options: EngineOptions) {
    const parts = assemble(options, () => this.isClosing);
    this.#parts = parts;
    this.#eventIds = new EventIds(options);
    this.#policy = new AskedPolicy(options.policy ?? new GrantPolicy(), parts.options.clock);
    const { clock, onRefusal } = parts.options;
    this.#onRefusal = onRefusal;
    this.audit = new Audit({ store: parts.audit, clock, isClosing: () => this.isClosing });
    this.workflows = new Workflows(parts.registrar, parts.registry, clock, parts.versions, this.audit);
    this.runs = new Runs(parts);
    this.gates = new Gates(parts);
    this.memory = new Memory(parts.searchQueue);
  }

  /**
   * The engine as the principal may use it, in one namespace: what is not permitted is refused, and what is not theirs is as
   * what never was. `via`: how they came; default `in-process`. Throws an `UnauthorizedError` for an owner that names no
   * account, and an `InvalidRequestError` for a namespace that there cannot be.
   */
  as(
    principal: Principal,
    { namespace, via = 'in-process' }: { readonly namespace: string; readonly via?: Actor['via'] },
  ): ActingEngine {
    if (!isOwner(principal.owner)) throw new UnauthorizedError('The owner names no account');
    checkNamespace(namespace);
    const authority = new PrincipalAuthority(principal, { namespace, via }, this.#policy, this.#onRefusal);
    return new ActingEngine(this, authority, this.#eventIds);
  }

  /**
   * The same engine where nobody is asked who they are: in the namespace `default` everything may be done, and `by` and
   * `caller` are what requests say.
   */
  unchecked(): ActingEngine {
    return new ActingEngine(this, unchecked(DEFAULT_NAMESPACE), null);
  }

  /** Opens the store and takes over the runs that the last process left in flight. */
  async open(): Promise<void> {
    const { options, registry, recovery, owner, memories, retention, driver, crashLooping } = this.#parts;
    const { guard, stalled, wallClock, slices, definitionSweep, families, telemetry, tracing } = this.#parts;
    const { audits, auditRetention } = this.#parts;
    const { store, memory, logger } = options;
    await tracing.open();
    if (telemetry !== null) store.tellCommits?.(telemetry.committed);
    await registry.open(await store.open());
    // Before anything reads a run that may be what the last process died of. Where others are there, it is what they left.
    if (driver.isAlone) await crashLooping.assess(null);
    const older = await indexOlderRuns({ store, slices }, logger);
    if ((await memory.open()).isNew) await memories.startOver();
    if (audits !== null) await this.#enterAudit();
    recovery.open(older);
    await owner.open();
    driver.role('memory', (signal) => memories.follow(signal));
    if (audits !== null) driver.role(AUDIT_FOLLOWER, (signal) => audits.follow(signal));
    if (auditRetention !== null) driver.role('audit-retention', (signal) => auditRetention.work(signal));
    driver.role('families', (signal) => families.follow(signal));
    driver.role('retention', (signal) => retention.work(signal));
    driver.role('definitions', (signal) => definitionSweep.work(signal));
    guard.start();
    stalled.start();
    wallClock.start();
  }

  /** True from the call of `close` on. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Whether every run that an earlier process left in flight was taken over, or tried once. */
  get hasTakenOver(): boolean {
    return this.#parts.owner.hasTakenOver;
  }

  /**
   * Registers code of this process under a `uses` name; runs that wait for it continue. `Input` is what the handler assumes
   * of its input. Throws a `DuplicateUnitError` for a name that is taken.
   */
  registerUnit<Input = JsonValue, Output = unknown>(
    uses: string,
    handler: UnitHandler<Input, Output>,
    options: UnitOptions = {},
  ): void {
    if (uses.startsWith('builtin.'))
      throw new TypeError(`${uses}: names that begin with builtin. are reserved.`);
    const { units, waitingForUnits, recovery } = this.#parts;
    units.register(uses, { ...options, handler: handler as UnitHandler<never> as UnitHandler });
    void recovery.recoverAll(waitingForUnits.take(uses));
  }

  /** Rejects when the store cannot serve. */
  async check(): Promise<void> {
    const trouble = await this.#parts.guard.look({ deep: true });
    if (trouble !== null) throw new StoreError(trouble);
  }

  async health(): Promise<EngineHealth> {
    const { guard, memories, live, stalled, options } = this.#parts;
    const trouble = await guard.look({ deep: true });
    return {
      store: trouble ?? 'ok',
      memoryBehind: trouble === null ? await memories.lag() : 0,
      undecidedRuns: [...live.all()].filter(({ hasUndecided }) => hasUndecided).length,
      stalledRuns: stalled.found,
      heldUp: options.database?.heldUp() ?? null,
    };
  }

  /**
   * What metrics are made of next to what `telemetry` is given; looks at every run in memory, and reads nothing from the
   * store.
   */
  figures(): EngineFigures {
    const { live, inboxBatch, stalled, driver, options } = this.#parts;
    let messages = 0;
    let runs = 0;
    let units = 0;
    for (const run of live.all()) {
      units += run.dispatcher.inFlightCount;
      messages += run.waiting;
      runs += 1;
    }
    const replica = driver.figures?.();
    const connections = options.database?.connections();
    return {
      runsInMemory: runs,
      unitsInFlight: units,
      mailboxes: { busy: inboxBatch.busy, mails: messages },
      stalledRuns: stalled.found,
      ...(replica !== undefined && { replica }),
      ...(connections !== undefined && { connections }),
    };
  }

  /** The store's totals: runs that have not ended, gates that wait, and how far the memory is behind. */
  async standing(): Promise<StandingFigures> {
    const { memories, options } = this.#parts;
    const [totals, memoryBehind] = await Promise.all([options.store.countStanding(), memories.lag()]);
    return { ...totals, memoryBehind };
  }

  /** What is in flight; once `close` has released it, what is left for the next process. */
  inFlight(): InFlightCount {
    return this.#left ?? this.#parts.inFlight.count();
  }

  /**
   * Starts no new runs; units in flight get `shutdownGraceMs` to end. What is still in flight then is called again, under
   * the same key, by the next process that opens the store. Safe to call twice.
   */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** A store in memory makes room by how far its followers are: it must know of this one before it has read anything. */
  async #enterAudit(): Promise<void> {
    const { store } = this.#parts.options;
    const cursor = { name: AUDIT_FOLLOWER };
    if ((await store.readCursor(cursor)) === 0) await store.writeCursor({ ...cursor, position: 0 });
  }

  async #shutDown(): Promise<void> {
    const {
      options,
      inFlight,
      completions,
      eventStream,
      allEvents,
      listStream,
      logTail,
      background,
      due,
      registry,
      driver,
      watch,
      guard,
      stalled,
      wallClock,
      compiler,
      comparer,
      logChecker,
      searchQueue,
      units,
    } = this.#parts;
    const { clock, shutdownGraceMs, transport, memory, store } = options;
    guard.stop();
    stalled.stop();
    wallClock.stop();
    due.stop();
    registry.close();
    // Others go on with what is idle here, while this process waits for its units.
    driver.leave?.();
    const deadline = clock.now() + shutdownGraceMs;
    while (this.#isBusy() && clock.now() < deadline) await pause();
    inFlight.releaseAll();
    completions.close();
    for (const part of [eventStream, allEvents, listStream, logTail, background, searchQueue]) part.close();
    const stored = deadline + Math.min(shutdownGraceMs, STORED_WITHIN_MS);
    while (this.#isBusy() && clock.now() < stored) await pause();
    this.#left = inFlight.count();
    // One that cannot be closed must not keep the others open: the store holds the lock of its folder.
    const faults: unknown[] = [];
    for (const part of [
      compiler,
      comparer,
      logChecker,
      () => driver.stop(),
      () => watch.close(),
      units,
      transport,
      memory,
      async () => options.beforeStoreCloses?.(),
      store,
    ]) {
      await (typeof part === 'function' ? part() : part.close()).catch((error: unknown) =>
        faults.push(error),
      );
    }
    if (faults.length > 0) throw faults[0];
  }

  /** Whether a unit is in flight, or an outcome is not stored yet. */
  #isBusy(): boolean {
    for (const run of this.#parts.live.all()) if (!run.isIdle) return true;
    return false;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, SHUTDOWN_POLL_MS);
  });
}

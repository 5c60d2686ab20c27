import type { PlanUnit } from './core/plan/plan.js';
import type { Definition } from './definitions/definition.js';
import { DefinitionSweep } from './definitions/definition-sweep.js';
import { OffLoop } from './definitions/thread/off-loop.js';
import { Registrar } from './definitions/registrar.js';
import { DocumentComparer } from './definitions/thread/document-comparer.js';
import { KeptVersions } from './runtime/lists/kept-versions.js';
import { Sealer } from './definitions/sealer.js';
import { SettingsAtRest } from './definitions/settings-at-rest.js';
import { workerFile } from './definitions/thread/worker-file.js';
import { WorkflowRegistry } from './definitions/registry/workflow-registry.js';
import { InProcessRunWatch } from './drivers/local/in-process-run-watch.js';
import { LocalDriver } from './drivers/local/local-driver.js';
import { DEFAULTS } from './engine-defaults.js';
import type { EngineOptions } from './engine-options.js';
import { hasOwnEndpoint } from './language/builtins.js';
import { LANGUAGE } from './language/language.js';
import { ChildStarts } from './runtime/children/child-starts.js';
import { Children } from './runtime/children/children.js';
import { Descendants } from './runtime/children/descendants.js';
import { familyFollower } from './runtime/children/family-follower.js';
import { FamilyOrders } from './runtime/children/family-orders.js';
import { FamilySteering } from './runtime/requests/family-steering.js';
import { ParentCache } from './runtime/children/parent-cache.js';
import { ParentNotifier } from './runtime/children/parent-notifier.js';
import { OrphanedChildren } from './runtime/children/orphaned-children.js';
import { Admission } from './runtime/dispatch/admission.js';
import { CallLauncher } from './runtime/dispatch/attempts/call-launcher.js';
import { Deadlines } from './runtime/dispatch/attempts/deadlines.js';
import { Endpoints } from './runtime/dispatch/endpoints/endpoints.js';
import { WaitingForUnits } from './runtime/dispatch/waiting-for-units.js';
import { AllEventsStream } from './runtime/streams/all-events-stream.js';
import { BackgroundWork } from './scheduling/background-work.js';
import { EventPages } from './runtime/events/event-pages.js';
import { ListQueries } from './runtime/watched-lists/list-queries.js';
import { ListStream } from './runtime/watched-lists/list-stream.js';
import { LogTail } from './runtime/streams/log-tail.js';
import { RunEventReader } from './runtime/events/run-event-reader.js';
import { RunEventStream } from './runtime/streams/run-event-stream.js';
import { memoryFollower } from './runtime/followers/memory-follower.js';
import { processLoad } from './scheduling/load.js';
import { Retention } from './runtime/followers/retention.js';
import { SILENT, unfailing } from './runtime/logger.js';
import { GateLists } from './runtime/lists/gate-lists.js';
import { RunLists } from './runtime/lists/run-lists.js';
import { InboxBatch } from './runtime/mailbox/inbox/inbox-batch.js';
import { LiveRuns } from './runtime/mailbox/live-runs.js';
import type { RunOwnership, RunShell } from './runtime/run-shell.js';
import { SliceScheduler } from './runtime/mailbox/slice-scheduler.js';
import { CrashLoopingRuns } from './runtime/ownership/crash-looping-runs.js';
import { DueRuns } from './runtime/ownership/due-runs.js';
import { Ownership } from './runtime/ownership/ownership.js';
import { Recovery } from './runtime/ownership/recovery.js';
import { StalledRuns } from './runtime/ownership/stalled-runs.js';
import { StoreGuard } from './runtime/ownership/store-guard.js';
import { wakerOf } from './runtime/ownership/waker.js';
import { WallClockWatch } from './runtime/ownership/wall-clock-watch.js';
import { InFlight } from './runtime/ownership/in-flight.js';
import { RunForker } from './runtime/starting/forks/run-forker.js';
import { NewRuns } from './runtime/starting/new-runs.js';
import { RunReader } from './runtime/reading/run-reader.js';
import { RunStarter } from './runtime/starting/run-starter.js';
import { RunSteering } from './runtime/requests/run-steering.js';
import { CompletionWaiters } from './runtime/streams/completion-waiters.js';
import { RunExporter } from './runtime/transfer/run-exporter.js';
import { RunImporter } from './runtime/transfer/run-importer.js';
import { LogChecker } from './runtime/transfer/replay/log-checker.js';
import { RunLogger } from './runtime/run-logger.js';
import { SearchQueue } from './runtime/search-queue.js';
import { RunObservers } from './facets/run-observers.js';
import { systemClock } from './runtime/system-clock.js';
import { Attempts } from './runtime/telemetry/attempts.js';
import { LazyTracing } from './runtime/telemetry/lazy-tracing.js';
import { meterRun } from './runtime/telemetry/run-meter.js';
import { unfailingTelemetry } from './runtime/telemetry/unfailing-telemetry.js';
import { uuidIds } from './runtime/uuid-ids.js';
import { AddressPolicy } from './units/http/addresses/address-policy.js';
import { LargeResponses } from './units/http/large-responses/large-responses.js';
import { LazyTransport } from './units/http/transport/lazy-transport.js';
import { EnvironmentSecrets } from './units/secrets/environment-secrets.js';
import { calledEndpoint, hasEndpoint } from './units/called-endpoint.js';
import { CallOrigins } from './units/call-origins.js';
import { UnitRegistry } from './units/unit-registry.js';

/** How long what another process appended may wait for the followers of this one. */
const FOLLOWER_POLL_MS = 1_000;

export type EngineParts = ReturnType<typeof assemble>;

/**
 * Puts an engine together. Parts that know one another are joined by functions that are called later, never by setting
 * a field afterwards. `isClosing`: the engine takes nothing new any more.
 */
export function assemble(given: EngineOptions, isClosing: () => boolean) {
  const addresses = new AddressPolicy(given);
  const largeResponses = new LargeResponses();
  const { clock = systemClock, transport = overUndici(addresses, largeResponses), ids = uuidIds } = given;
  const logger = unfailing(given.logger ?? SILENT);
  const { driver = new LocalDriver({ clock, logger }), watch = new InProcessRunWatch() } = given;
  const secrets = given.secrets ?? new EnvironmentSecrets({ environment: process.env, folder: null });
  const options = { ...DEFAULTS, ...given, clock, logger, transport, secrets };
  const { store, memory } = options;
  const telemetry = options.telemetry === null ? null : unfailingTelemetry(options.telemetry, logger);
  const tracing = new LazyTracing(options.tracing, logger);
  const { isAlone } = driver;

  const { maxResponseBytes } = options;
  const searchQueue = new SearchQueue(memory);
  const units = new UnitRegistry({
    transport,
    clock,
    secrets,
    logger,
    maxResponseBytes,
    addresses,
    largeResponses,
    memory,
    search: (request, caller) => searchQueue.search(request, caller),
  });
  const ceilings = { unitMs: options.maxUnitMs, workflowMs: options.maxWorkflowMs };
  const sealer = new Sealer(options.encryptionKey);
  const worker = workerFile(options.documentWorker);
  const compiler = new OffLoop(worker);
  const comparer = new DocumentComparer(worker);
  const logChecker = new LogChecker(worker);
  const registrar = new Registrar(units, options.apiGroups, sealer, compiler, LANGUAGE, ceilings);
  const registry = new WorkflowRegistry({
    store,
    registrar,
    logger,
    mode: options.registry,
    isShared: !isAlone,
    limits: { maxWorkflows: options.maxWorkflows, maxDefinitions: options.maxDefinitions },
  });

  const waitingForUnits = new WaitingForUnits(logger);
  const runLogger = new RunLogger(logger);
  const observers = new RunObservers(logger);
  const ownership: RunOwnership = {
    owns: (runId) => driver.owns(runId),
    // A copy that decided while its shard moved to this process wakes the run that is in memory by now.
    nudge: (runId) => {
      if (!driver.owns(runId)) driver.nudge(runId);
      else if (!isClosing()) owner.nudged(runId);
    },
    wakeAt: (runId, at) => due.set(runId, at),
  };
  const deadlines = new Deadlines(clock);
  // Code of this process is called, whatever is bound.
  const bindingOf = (definition: Definition, { uses }: PlanUnit) =>
    units.has(uses) ? undefined : registry.bindings(definition, uses);
  const origins = new CallOrigins();
  const shell: RunShell = {
    store,
    clock,
    logger,
    telemetry,
    slices: new SliceScheduler(),
    inboxBatch: new InboxBatch(),
    limits: {
      maxStateChars: options.maxStateBytes,
      maxLogChars: options.maxLogBytes,
      maxNesting: options.maxNesting,
    },
    settings: new SettingsAtRest(sealer),
    ownership,
    units: {
      admission: new Admission(options.maxExecutionsInFlight),
      launcher: new CallLauncher(store),
      attempts: new Attempts({
        telemetry,
        tracing,
        originOf: (definition, unit) => origins.originOf(unit, bindingOf(definition, unit)),
      }),
      deadlines,
      endpoints: new Endpoints(deadlines, logger),
      maxUnitMs: options.maxUnitMs,
      isClosing,
      executorFor: (definition, unit) => units.executorFor(unit, bindingOf(definition, unit)),
      hasEndpoint,
      timeoutOf: (definition, unit, { timeoutMs }) => {
        const binding = hasOwnEndpoint(unit) ? undefined : bindingOf(definition, unit);
        return Math.min(timeoutMs, options.maxUnitMs, binding?.timeoutMs ?? Infinity);
      },
      endpointOf: (definition, unit, { settings }) =>
        calledEndpoint(unit, settings, bindingOf(definition, unit)),
      awaitUnit: (uses, runId) => waitingForUnits.add(uses, runId),
    },
    notifier: {
      changed: (run, events, before) => {
        completions.changed(run);
        children.changed(run, events, before);
        watch.announce({ runId: run.runId, seq: run.durable.seq });
        memories.wake();
        logTail.wake();
        runLogger.fromEvents(run.durable, events);
        observers.fromEvents(run.durable, events);
        if (telemetry !== null) meterRun(telemetry, run.durable.createdAt, events);
        tracing.runMoved(run.durable, events);
      },
      idle: (run) => {
        if (isClosing()) inFlight.leaves(run);
        live.forget(run);
      },
    },
    children: { seeTo: (parent, child, mayBegin) => children.seeTo(parent, child, mayBegin) },
  };
  const live = new LiveRuns(shell, registry, isAlone);
  const parentCache = new ParentCache(live, clock);
  const parentNotifier = new ParentNotifier({ parents: parentCache, clock, logger, isClosing });
  const orphanedChildren = new OrphanedChildren({
    live,
    clock,
    logger,
    isClosing,
    cancelGraceMs: options.cancelGraceMs,
  });
  const childStarts = new ChildStarts({
    store,
    live,
    registry,
    parents: parentCache,
    notifier: parentNotifier,
    orphans: orphanedChildren,
    descendants: new Descendants({ store, clock, most: options.maxDescendants }),
    clock,
    logger,
    owns: ownership.owns,
    isClosing,
    follow: (parentRunId, child) => orders.follow(parentRunId, child),
  });
  const orders = new FamilyOrders({
    live,
    parents: parentCache,
    notifier: parentNotifier,
    clock,
    logger,
    cancelGraceMs: options.cancelGraceMs,
    isClosing,
  });
  const children = new Children({
    starts: childStarts,
    notifier: parentNotifier,
    orders,
    orphans: orphanedChildren,
    owns: ownership.owns,
    wake: () => families.wake(),
  });
  const inFlight = new InFlight({
    live,
    clock,
    has: (definition, unit) => shell.units.executorFor(definition, unit) !== null,
    owns: ownership.owns,
  });
  const reader = new RunReader({ store, slices: shell.slices, peek: (runId) => live.peek(runId), isAlone });
  const completions = new CompletionWaiters({ store, watch, clock, reader, owns: ownership.owns });

  const crashLooping = new CrashLoopingRuns({ store, clock, logger });
  const due = new DueRuns({
    store,
    clock,
    logger,
    shards: () => owner.ownShards(),
    isAlone,
    wake: wakerOf({ live, clock, logger, ownership, crashLooping, isClosing }),
  });
  const recovery = new Recovery({
    store,
    live,
    clock,
    logger,
    waitingForUnits,
    crashLooping,
    owns: ownership.owns,
    isClosing,
  });
  const stalled = new StalledRuns({
    store,
    live,
    clock,
    logger,
    shards: () => owner.ownShards(),
    owns: ownership.owns,
    hasTakenOver: () => owner.hasTakenOver,
    has: (definition, unit) => shell.units.executorFor(definition, unit) !== null,
    awaitsUnit: (runId) => waitingForUnits.has(runId),
  });
  const owner = new Ownership({
    driver,
    live,
    due,
    recovery,
    clock,
    logger,
    handOverMs: options.shutdownGraceMs,
    moved: (isMoved) => completions.moved(isMoved),
    changed: (run) => {
      completions.changed(run);
      children.movedElsewhere(run);
    },
  });

  const memories = memoryFollower({
    store,
    memory,
    clock,
    logger,
    load: processLoad(shell.inboxBatch),
    pollMs: isAlone ? null : FOLLOWER_POLL_MS,
    unitOf: async ({ namespace, workflowId, definitionHash: hash }, unitId) => {
      const definition = await registry.pinnedTo({ namespace, workflowId, hash }).catch(() => null);
      return definition?.plan.units.get(unitId) ?? null;
    },
  });
  const families = familyFollower({
    store,
    parents: parentCache,
    notifier: parentNotifier,
    orphans: orphanedChildren,
    orders,
    starts: childStarts,
    reader,
    clock,
    logger,
    load: processLoad(shell.inboxBatch),
    pollMs: isAlone ? null : FOLLOWER_POLL_MS,
  });
  const eventPages = new EventPages(store);
  const background = new BackgroundWork(clock, processLoad(shell.inboxBatch));
  const logTail = new LogTail({
    store,
    clock,
    logger,
    load: processLoad(shell.inboxBatch),
    background,
    pollMs: isAlone ? null : FOLLOWER_POLL_MS,
  });
  const listStream = new ListStream({
    queries: new ListQueries({ tail: logTail, store, background, clock, logger }),
    background,
    clock,
  });
  const retention = new Retention({
    store,
    clock,
    logger,
    retentionMs: options.retentionMs,
    followers: [memories],
  });

  const family = new FamilySteering({
    live,
    reader,
    store,
    notifier: parentNotifier,
  });
  const steering = new RunSteering({
    live,
    reader,
    completions,
    store,
    clock,
    waitMs: options.resumeWaitMs,
    sameInstantMs: options.sameInstantMs,
    cancelGraceMs: options.cancelGraceMs,
    family,
    orders,
  });
  const newRuns = new NewRuns({ live, reader, completions, store, driver, ids, clock });
  const starter = new RunStarter({ registry, newRuns, isClosing });
  const forker = new RunForker({
    registry,
    reader,
    store,
    newRuns,
    isClosing,
    isPastGatesAllowed: options.forkPastGates,
  });
  const importer = new RunImporter({
    store,
    registry,
    registrar,
    reader,
    settings: shell.settings,
    logChecker,
    clock,
    limits: shell.limits,
    isClosing,
    imported: ({ runId, seq }) => {
      watch.announce({ runId, seq });
      memories.wake();
    },
  });
  return {
    options,
    driver,
    watch,
    telemetry,
    tracing,
    inboxBatch: shell.inboxBatch,
    units,
    compiler,
    registrar,
    registry,
    comparer,
    logChecker,
    searchQueue,
    versions: new KeptVersions({ store, registry, sealer, comparer }),
    live,
    inFlight,
    reader,
    listStream,
    background,
    runLists: new RunLists({ store, clock }),
    gateLists: new GateLists(store),
    eventReader: new RunEventReader({ pages: eventPages, reader }),
    eventStream: new RunEventStream({ pages: eventPages, store, watch, reader, background }),
    allEvents: new AllEventsStream({ tail: logTail, store }),
    logTail,
    observers,
    exporter: new RunExporter({ store, registry, registrar }),
    importer,
    slices: shell.slices,
    completions,
    due,
    recovery,
    crashLooping,
    owner,
    waitingForUnits,
    memories,
    families,
    family,
    retention,
    definitionSweep: new DefinitionSweep({ store, clock, logger }),
    steering,
    starter,
    forker,
    stalled,
    guard: new StoreGuard(store, clock, logger),
    wallClock: new WallClockWatch(clock, logger),
  };
}

function overUndici(addresses: AddressPolicy, largeResponses: LargeResponses): LazyTransport {
  return new LazyTransport(async () => {
    const { createTransport } = await import('./units/http/transport/undici-transport.js');
    return createTransport({ addresses, largeResponses });
  });
}

import type { PlanUnit } from '../core/plan/plan.js';
import type { Definition } from '../definitions/definition.js';
import { OffLoop } from '../definitions/thread/off-loop.js';
import { Registrar } from '../definitions/registrar.js';
import { Sealer } from '../definitions/sealer.js';
import { workerFile } from '../definitions/thread/worker-file.js';
import { DocumentComparer } from '../definitions/thread/document-comparer.js';
import { WorkflowRegistry } from '../definitions/registry/workflow-registry.js';
import { hasOwnEndpoint } from '../language/builtins.js';
import { LANGUAGE } from '../language/language.js';
import { Admission } from '../runtime/dispatch/admission.js';
import { CallLauncher } from '../runtime/dispatch/attempts/call-launcher.js';
import { Deadlines } from '../runtime/dispatch/attempts/deadlines.js';
import { Endpoints } from '../runtime/dispatch/endpoints/endpoints.js';
import type { UnitCalls } from '../runtime/dispatch/unit-calls.js';
import { WaitingForUnits } from '../runtime/dispatch/waiting-for-units.js';
import { SearchQueue } from '../runtime/search-queue.js';
import { Attempts } from '../runtime/telemetry/attempts.js';
import { LogChecker } from '../runtime/transfer/replay/log-checker.js';
import { CallOrigins } from '../units/call-origins.js';
import { calledEndpoint, hasEndpoint } from '../units/called-endpoint.js';
import { UnitRegistry } from '../units/unit-registry.js';
import type { EnginePorts } from './ports.js';

export type UnitsRoom = ReturnType<typeof assembleUnits>;

/** The units that can be called, the definitions that name them, and how the runs of this process call them. */
export function assembleUnits({
  ports,
  indexed,
  lacksUnit,
}: {
  readonly ports: EnginePorts;
  /** Has what units said up to now indexed, if that is done in a moment. */
  readonly indexed: () => Promise<void>;
  /** The run waits for a unit that is not registered. */
  readonly lacksUnit: (runId: string) => void;
}) {
  const { options, addresses, largeResponses, driver, telemetry, tracing, isClosing } = ports;
  const { store, memory, clock, logger, transport, secrets, maxResponseBytes } = options;
  const searchQueue = new SearchQueue(memory, indexed);
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
  const registrar = new Registrar(units, options.apiGroups, sealer, compiler, LANGUAGE, ceilings);
  const registry = new WorkflowRegistry({
    store,
    registrar,
    logger,
    clock,
    mode: options.registry,
    isShared: !driver.isAlone,
    namesWorkflows: options.namesWorkflows,
    limits: {
      maxWorkflows: options.maxWorkflows,
      maxWorkflowsPerNamespace: options.maxWorkflowsPerNamespace,
      maxDefinitions: options.maxDefinitions,
    },
  });

  const waitingForUnits = new WaitingForUnits(logger, lacksUnit);
  const deadlines = new Deadlines(clock);
  const origins = new CallOrigins();
  // Code of this process is called, whatever is bound.
  const bindingOf = (definition: Definition, { uses }: PlanUnit) =>
    units.has(uses, definition.namespace) ? undefined : registry.bindings(definition, uses);
  const calls: UnitCalls = {
    admission: new Admission(options.maxExecutionsInFlight, {
      // Where somebody says who may do what, there are tenants.
      areNamespacesApart: options.policy !== undefined,
    }),
    launcher: new CallLauncher(store),
    attempts: new Attempts({
      telemetry,
      tracing,
      originOf: (definition, unit) => origins.originOf(unit, bindingOf(definition, unit)),
    }),
    deadlines,
    endpoints: new Endpoints(deadlines, logger, () => driver.replicaCount ?? 1),
    maxUnitMs: options.maxUnitMs,
    isClosing,
    executorFor: (definition, unit) =>
      units.executorFor(unit, definition.namespace, bindingOf(definition, unit)),
    mayBePure: ({ plan }) => units.mayBePure(plan.units),
    hasEndpoint,
    timeoutOf: (definition, unit, { timeoutMs }) => {
      const binding = hasOwnEndpoint(unit) ? undefined : bindingOf(definition, unit);
      return Math.min(timeoutMs, options.maxUnitMs, binding?.timeoutMs ?? Infinity);
    },
    endpointOf: (definition, unit, { settings }) =>
      calledEndpoint(unit, settings, bindingOf(definition, unit)),
    awaitUnit: (uses, runId) => waitingForUnits.add(uses, runId),
  };
  return {
    searchQueue,
    units,
    sealer,
    compiler,
    comparer: new DocumentComparer(worker),
    logChecker: new LogChecker(worker),
    registrar,
    registry,
    waitingForUnits,
    calls,
    /** Whether this process can call the unit. */
    has: (definition: Definition, unit: PlanUnit) => calls.executorFor(definition, unit) !== null,
  };
}

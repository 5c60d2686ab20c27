import type { Definition } from '../../src/engine/definitions/definition.js';
import { Sealer } from '../../src/engine/definitions/sealer.js';
import { SettingsAtRest } from '../../src/engine/definitions/settings-at-rest.js';
import type { PlanUnit } from '../../src/engine/core/plan/plan.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import type {
  ResponseShare,
  UnitOutcome,
  UnitExecutor,
  UnitRequest,
} from '../../src/engine/ports/unit-executor.js';
import { Admission } from '../../src/engine/runtime/dispatch/admission.js';
import { CallLauncher } from '../../src/engine/runtime/dispatch/attempts/call-launcher.js';
import { Deadlines } from '../../src/engine/runtime/dispatch/attempts/deadlines.js';
import { Endpoints } from '../../src/engine/runtime/dispatch/endpoints/endpoints.js';
import type { UnitCalls } from '../../src/engine/runtime/dispatch/unit-calls.js';
import { NO_LIMITS } from '../../src/engine/core/turn/limits/limits.js';
import { InboxBatch } from '../../src/engine/runtime/mailbox/inbox/inbox-batch.js';
import type { Child } from '../../src/engine/core/waits/child.js';
import type {
  ChildRuns,
  RunInMemory,
  RunNotifier,
  RunOwnership,
  RunShell,
} from '../../src/engine/runtime/run-shell.js';
import { SliceScheduler } from '../../src/engine/runtime/mailbox/slice-scheduler.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { compileText } from './simulated-run.js';

/** A workflow as runs of one process have it, compiled from its text. */
export function definitionOf(text: string): Definition {
  return {
    namespace: 'default',
    plan: compileText(text),
    size: text.length,
    bindings: new Map(),
    description: null,
    labels: {},
    annotations: {},
    flowType: 'sequential',
    registeredAt: 0,
    input: null,
    checkInput: null,
  };
}

/** A call of a unit that waits for its answer. */
interface OpenCall {
  readonly unitId: string;
  readonly request: UnitRequest;
  readonly signal: AbortSignal;
  readonly key: string;
  complete(outcome: UnitOutcome): void;
  /** A large answer begins to arrive. */
  hold(share: ResponseShare): void;
}

export const FINISHED: UnitOutcome = {
  kind: 'finished',
  output: 'done',
  patch: null,
  usage: null,
  metadata: null,
};

/** The process around live runs, as a test wants it: every unit is registered, and answers when the test says so. */
export class LiveShell implements RunShell {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  /** By a clock that does not move: however busy the machine is, nothing has to yield to the event loop. */
  readonly slices = new SliceScheduler(() => 0);
  readonly inboxBatch = new InboxBatch();
  readonly limits = NO_LIMITS;
  readonly telemetry = null;
  readonly settings = new SettingsAtRest(new Sealer(null));
  readonly units: UnitCalls;
  readonly ownership: RunOwnership;
  readonly notifier: RunNotifier;
  /** The children that runs wait for, once for each command to see to them. */
  readonly seenTo: Child[] = [];
  /** Another one where the shards were somebody else's in between. */
  tenure = {};
  /** Runs that a newer build works on. */
  readonly barred = new Set<string>();
  readonly children: ChildRuns = { seeTo: (_parent, child) => void this.seenTo.push(child) };

  /** The calls of units, in order, whose outcome the test gives. */
  readonly calls: OpenCall[] = [];
  /** `uses` that nobody registered. */
  readonly unknown = new Set<string>();
  /** Runs that wait for a unit, by its `uses`. */
  readonly awaited: (readonly [uses: string, runId: string])[] = [];
  readonly nudged: string[] = [];
  readonly wakeUps: (number | null)[] = [];
  readonly changes: (readonly RunEvent[])[] = [];
  readonly idle: RunInMemory[] = [];
  isOwner = true;
  /** A process that owned the runs before may have died. */
  isAfterDeath = false;
  isClosing = false;

  constructor(
    readonly store: RunStore = new InMemoryRunStore(),
    readonly admission = new Admission(100),
  ) {
    const deadlines = new Deadlines(this.clock);
    this.units = {
      admission,
      launcher: new CallLauncher(store),
      deadlines,
      endpoints: new Endpoints(deadlines, this.logger),
      maxUnitMs: 86_400_000,
      isClosing: () => this.isClosing,
      executorFor: (_definition, unit) => (this.unknown.has(unit.uses) ? null : this.executorOf(unit)),
      mayBePure: () => true,
      hasEndpoint: () => true,
      endpointOf: (_definition, { uses }) => uses,
      timeoutOf: (_definition, _unit, { timeoutMs }) => timeoutMs,
      attempts: { watch: () => null },
      awaitUnit: (uses, runId) => void this.awaited.push([uses, runId]),
    };
    this.ownership = {
      owns: () => this.isOwner,
      nudge: (runId) => void this.nudged.push(runId),
      followsDeath: () => this.isAfterDeath,
      tenure: () => this.tenure,
      isBarred: (runId) => this.barred.has(runId),
      wakeAt: (_runId, at) => void this.wakeUps.push(at),
    };
    this.notifier = {
      changed: (_run, events) => void this.changes.push(events),
      idle: (run) => void this.idle.push(run),
    };
  }

  /** The units that were called so far, in order. */
  get called(): readonly string[] {
    return this.calls.map(({ unitId }) => unitId);
  }

  private executorOf({ id: unitId }: PlanUnit): UnitExecutor {
    return {
      execute: (request, options) =>
        new Promise((resolve) => {
          const { signal, idempotencyKey: key } = options;
          const hold = (share: ResponseShare): void => options.hold?.(share);
          this.calls.push({ unitId, request, signal, key, complete: resolve, hold });
        }),
    };
  }
}

/** Lets everything happen that needs no time. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

import type { RunEvent } from '../core/log/event.js';
import type { RunState } from '../core/state/state.js';
import type { Child } from '../core/waits/child.js';
import type { Limits } from '../core/turn/limits/limits.js';
import type { Definition } from '../definitions/definition.js';
import type { SettingsAtRest } from '../definitions/settings-at-rest.js';
import type { Clock } from '../ports/clock.js';
import type { CrashJournal } from '../ports/store/crash-journal.js';
import type { RunLog } from '../ports/store/run-log.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { UnitCalls } from './dispatch/unit-calls.js';
import type { EngineLogger } from '../ports/logger.js';
import type { InboxBatch } from './mailbox/inbox/inbox-batch.js';
import type { SliceScheduler } from './mailbox/slice-scheduler.js';

/** Read-only view of a live run. */
export interface RunInMemory {
  readonly runId: string;
  readonly definition: Definition;
  /** The stored state. Everything that is visible outside comes from here. */
  readonly durable: RunState;
  /** All events of the run, or null when they are too many or the run was not read from its start. */
  readonly history: readonly RunEvent[] | null;
}

/** What a live run needs of the process around it. */
export interface RunShell {
  readonly store: RunLog & CrashJournal;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** Null: telemetry is off. */
  readonly telemetry: Telemetry | null;
  readonly slices: SliceScheduler;
  readonly inboxBatch: InboxBatch;
  readonly limits: Limits;
  readonly settings: SettingsAtRest;
  /** How units are called, and how many at once. */
  readonly units: UnitCalls;
  readonly ownership: RunOwnership;
  readonly notifier: RunNotifier;
  readonly children: ChildRuns;
}

/** Starts the children that a run waits for. */
export interface ChildRuns {
  /**
   * `mayBegin` false: nothing is left of the budget of its unit. A child that was begun before is seen to all the same;
   * for another the run gets `budget-exceeded`.
   */
  seeTo(parent: RunInMemory, child: Child, mayBegin: boolean): void;
}

/** Whether this process calls the run's units and fires its due times; any process decides and appends. */
export interface RunOwnership {
  owns(runId: string): boolean;
  /** Something was appended to a foreign run. */
  nudge(runId: string): void;
  /**
   * Whether the run may be as a process left it that died: this one took its shard from it, and nothing was appended since.
   * `updatedAt`: that of the run (epoch ms).
   */
  followsDeath(runId: string, updatedAt: number): boolean;
  /**
   * Which of this process's times with the run's shard it is, by identity: another one where the shard was somebody else's in between.
   */
  tenure(runId: string): unknown;
  /** See `RunDriver.isBarred`. */
  isBarred(runId: string): boolean;
  /** When the run has to be woken (epoch ms); null: it waits for something else. Replaces the last call. */
  wakeAt(runId: string, at: number | null): void;
}

/** Receives the notifications of a live run. */
export interface RunNotifier {
  /**
   * These events changed the durable state; empty where another process wrote them. `before`: the state before them,
   * null where another process changed it.
   */
  changed(run: RunInMemory, events: readonly RunEvent[], before: RunState | null): void;
  /** The run has nothing to do: it may leave memory. */
  idle(run: RunInMemory): void;
}

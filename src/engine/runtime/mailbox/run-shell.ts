import type { RunEvent } from '../../core/log/event.js';
import type { RunState } from '../../core/state/state.js';
import type { Child } from '../../core/waits/child.js';
import type { Limits } from '../../core/turn/limits.js';
import type { Definition } from '../../definitions/definition.js';
import type { SettingsAtRest } from '../../definitions/settings-at-rest.js';
import type { Clock } from '../../ports/clock.js';
import type { RunStore } from '../../ports/run-store.js';
import type { Telemetry } from '../../ports/telemetry.js';
import type { UnitCalls } from '../dispatch/unit-calls.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { MailInHand } from './mail-in-hand.js';
import type { Turns } from './turns.js';

/** A live run, for those who only look at it. */
export interface RunInMemory {
  readonly runId: string;
  readonly definition: Definition;
  /** What is stored. Everything that anyone can see comes from here. */
  readonly durable: RunState;
  /** All events of the run, or null when they are too many or the run was not read from its start. */
  readonly history: readonly RunEvent[] | null;
}

/** What a live run needs of the process around it. */
export interface RunShell {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** Null: nobody measures. */
  readonly telemetry: Telemetry | null;
  readonly turns: Turns;
  readonly inHand: MailInHand;
  readonly limits: Limits;
  readonly settings: SettingsAtRest;
  /** How units are called, and how many at once. */
  readonly units: UnitCalls;
  readonly ownership: RunOwnership;
  readonly news: RunNews;
  readonly children: ChildRuns;
}

/** Starts the children that a run waits for. */
export interface ChildRuns {
  /**
   * `mayBegin`: else nothing is left of the budget of its unit. One that was begun is then seen to all the same; of
   * another the run is told so (`budget-exceeded`).
   */
  seeTo(parent: RunInMemory, child: Child, mayBegin: boolean): void;
}

/** Whether this process calls the run's units and fires its due times; any process decides and appends. */
export interface RunOwnership {
  owns(runId: string): boolean;
  /** Something was appended to a run of somebody else. */
  nudge(runId: string): void;
  /** When the run has to be woken (epoch ms); null: it waits for others. Replaces what was said before. */
  wakeAt(runId: string, at: number | null): void;
}

/** What a live run tells the others. */
export interface RunNews {
  /**
   * The durable state moved on, by these events; none where others wrote them. `before`: what it was, null where others
   * moved it.
   */
  changed(run: RunInMemory, events: readonly RunEvent[], before: RunState | null): void;
  /** The run has nothing to do any more: it may leave memory. */
  idle(run: RunInMemory): void;
}

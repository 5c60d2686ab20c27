import { messageOf } from '../../errors/flowgate-error.js';
import type { RunEvent } from '../core/log/event.js';
import type { RunState } from '../core/state/state.js';
import { statusOf } from '../core/state/status.js';
import type { EngineLogger } from '../ports/logger.js';
import { mayPause } from './may-pause.js';

export const RUN_MOMENTS = ['started', 'paused', 'completed', 'failed'] as const;
/** `paused`: nothing of the run goes on without a person. A cancelled run has `failed`. */
export type RunMoment = (typeof RUN_MOMENTS)[number];

/** What happened to a run. */
export interface RunChange {
  readonly moment: RunMoment;
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
  /** Epoch ms. */
  readonly at: number;
}

export type RunObserver = (change: RunChange) => void;

/**
 * Those who are told what becomes of the runs that this process decides.
 *
 * 1. What is told is durable.
 * 2. Each change is told once, in the order of the log of its run, by the process that stored it; after a crash between
 *    the two it is told by nobody.
 * 3. What an observer throws stops neither the run nor the others.
 */
export class RunObservers {
  private readonly observers = new Set<RunObserver>();

  constructor(private readonly logger: EngineLogger) {}

  /** Answers how to take it back. */
  add(observer: RunObserver): () => void {
    // Each a place of its own: the same function twice is told twice.
    const own: RunObserver = (change) => observer(change);
    this.observers.add(own);
    return () => void this.observers.delete(own);
  }

  /** `state` is the run after the last of the events. Costs nothing while nobody looks on. */
  fromEvents(state: RunState, events: readonly RunEvent[]): void {
    if (this.observers.size === 0) return;
    let pausedAt: number | null = null;
    for (const event of events) {
      if (mayPause(event)) pausedAt = event.at;
      const moment = momentOf(event);
      if (moment !== null) this.tell(state, moment, event.at);
    }
    // A run that waited before these events came has told so: only what moved in it could make it wait anew.
    if (pausedAt !== null && statusOf(state) === 'paused') this.tell(state, 'paused', pausedAt);
  }

  private tell({ namespace, workflowId, runId }: RunState, moment: RunMoment, at: number): void {
    const change: RunChange = Object.freeze({ moment, namespace, workflowId, runId, at });
    for (const observer of this.observers) {
      try {
        observer(change);
      } catch (error) {
        this.logger.error('An observer of runs threw', {
          runId,
          workflowId,
          moment,
          error: messageOf(error),
        });
      }
    }
  }
}

function momentOf({ type }: RunEvent): RunMoment | null {
  switch (type) {
    case 'run-started':
      return 'started';
    case 'run-completed':
      return 'completed';
    case 'run-failed':
    case 'run-cancelled':
      return 'failed';
    default:
      return null;
  }
}

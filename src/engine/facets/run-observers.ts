import { messageOf } from '../../errors/flowgate-error.js';
import { eventKind } from '../core/log/event-kinds.js';
import type { RunEvent } from '../core/log/event.js';
import type { RunState } from '../core/state/state.js';
import { statusOf } from '../core/state/status.js';
import type { EngineLogger } from '../ports/logger.js';
import {
  detailsOf,
  momentsOf,
  type ChangeDetails,
  type HookMoment,
  type RunChange,
  type RunObserver,
} from './steps-and-changes.js';

/**
 * Notifies observers of what becomes of the runs that this process decides.
 *
 * 1. A change is durable before observers are notified of it.
 * 2. Observers are notified of each change once, in the order of the log of its run, by the process that stored it; after a
 *    crash in between, by none.
 * 3. What an observer throws stops neither the run nor the others.
 */
export class RunObservers {
  private readonly observers = new Set<Observing>();

  constructor(private readonly logger: EngineLogger) {}

  /** Returns a function that removes the observer. `moments`: those that it is told of. */
  add<Moment extends HookMoment>(observer: RunObserver<Moment>, moments: readonly Moment[]): () => void {
    // Each call adds an entry of its own: a function that was added twice is called twice.
    const own: Observing = { observer: observer as RunObserver<HookMoment>, moments: new Set(moments) };
    this.observers.add(own);
    return () => void this.observers.delete(own);
  }

  /**
   * `state` is the run after the last of the events, `before` the run before the first, if known. Costs nothing while there
   * are no observers.
   */
  fromEvents(state: RunState, events: readonly RunEvent[], before: RunState | null): void {
    if (this.observers.size === 0) return;
    const hadNotPaused = before !== null && statusOf(before) !== 'paused';
    let pausedAt = hadNotPaused ? (events.at(-1)?.at ?? null) : null;
    for (const event of events) {
      const { mayPause, publicForm } = eventKind(event.type).facts;
      if (mayPause) pausedAt = event.at;
      const form = publicForm?.(event) ?? null;
      const moments = form === null ? NONE : momentsOf(form.type);
      const about = form === null || moments.length === 0 ? undefined : detailsOf(form);
      for (const moment of moments) this.notify(state, moment, event.at, about);
      if (event.newStatus === 'running' && !moments.includes('resumed'))
        this.notify(state, 'resumed', event.at);
    }
    // Observers know of a run that was paused before these events came: only what moved in it can have made it pause again.
    if (pausedAt !== null && statusOf(state) === 'paused') this.notify(state, 'paused', pausedAt);
  }

  private notify(
    { namespace, workflowId, runId }: RunState,
    moment: HookMoment,
    at: number,
    about?: ChangeDetails,
  ): void {
    const change: RunChange<HookMoment> = Object.freeze({
      moment,
      namespace,
      workflowId,
      runId,
      at,
      ...(about === undefined ? {} : { about: Object.freeze(about) }),
    });
    for (const { observer, moments } of this.observers) {
      if (!moments.has(moment)) continue;
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

interface Observing {
  readonly observer: RunObserver<HookMoment>;
  readonly moments: ReadonlySet<HookMoment>;
}

const NONE: readonly never[] = [];

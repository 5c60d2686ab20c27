import { ENGINE_ACTOR } from '../../core/log/actor.js';
import type { Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import { executionOf } from '../../core/waits/execution.js';
import { openPausesOf, pauseOf } from '../../core/waits/pause.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import { doublingMs } from '../doubling.js';
import type { InboxMessage } from './inbox/inbox-message.js';

/** How often, and how long apart, deciding is retried automatically. After that it takes a resume. */
const RETRY = { firstMs: 1_000, longestMs: 300_000, attempts: 12 };

export type OutcomeSignal = Signal & { readonly type: 'unit-finished' | 'unit-attempt-failed' };

const NOTHING: readonly OutcomeSignal[] = [];

interface Kept {
  readonly signal: OutcomeSignal;
  readonly attempts: number;
  readonly cancel: CancelTimer;
}

/**
 * Outcomes of units that could not be decided. The unit is never called again for that: its outcome is kept here, a pause
 * freezes its execution, and lifting that pause decides the outcome.
 */
export class UndecidedOutcomes {
  private readonly kept = new Map<number, Kept>();
  private isStopped = false;

  constructor(
    private readonly clock: Clock,
    /** Offers a resume to the run. */
    private readonly post: (message: InboxMessage) => void,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  has(executionId: number): boolean {
    return this.kept.has(executionId);
  }

  /** Keeps the outcome until it is decided; deciding is retried automatically, with growing delays. */
  keep(executionId: number, signal: OutcomeSignal, current: () => RunState): void {
    if (this.isStopped) return;
    const before = this.kept.get(executionId);
    before?.cancel();
    const attempts = (before?.attempts ?? 0) + 1;
    const cancel =
      attempts > RETRY.attempts
        ? () => undefined
        : this.clock.schedule(this.clock.now() + doublingMs(attempts, RETRY), () =>
            this.tryAgain(executionId, current()),
          );
    this.kept.set(executionId, { signal, attempts, cancel });
  }

  /** The message with the outcomes that its resumes release: they are decided together, or not at all. */
  withOutcomes(message: InboxMessage, state: RunState): InboxMessage {
    if (this.kept.size === 0) return message;
    const signals = message.signals.flatMap((signal) => {
      const executionId = signal.type === 'resume' ? executionFrozenBy(state, signal.pauseId) : null;
      const kept = executionId === null ? undefined : this.kept.get(executionId);
      return kept === undefined ? [signal] : [signal, kept.signal];
    });
    return signals.length === message.signals.length ? message : { ...message, signals };
  }

  /** These signals were decided, and the decision is stored. */
  settle(signals: readonly Signal[]): void {
    if (this.kept.size === 0) return;
    for (const signal of signals) {
      if (!('executionId' in signal) || signal.executionId === null) continue;
      this.kept.get(signal.executionId)?.cancel();
      this.kept.delete(signal.executionId);
    }
  }

  /**
   * Removes and returns the outcomes whose executions are not frozen any more: they are to be decided now. Where another
   * process lifted the pause, the execution is open. Otherwise deciding them changes nothing, but settles the dispatcher,
   * which keeps the execution from being called until then.
   */
  takeFreed(state: RunState): readonly OutcomeSignal[] {
    if (this.kept.size === 0) return NOTHING;
    const freed: OutcomeSignal[] = [];
    for (const [executionId, { signal, cancel }] of this.kept) {
      const execution = state.phase === 'live' ? executionOf(state, executionId) : undefined;
      if (execution !== undefined && execution.heldBy !== null) continue;
      cancel();
      this.kept.delete(executionId);
      freed.push(signal);
    }
    return freed;
  }

  /** The run left this process: nothing is retried here. */
  stop(): void {
    this.isStopped = true;
    for (const { cancel } of this.kept.values()) cancel();
    this.kept.clear();
  }

  private tryAgain(executionId: number, state: RunState): void {
    const pauseId = openPausesOf(state).find((id) => executionFrozenBy(state, id) === executionId);
    if (pauseId === undefined) {
      this.kept.delete(executionId);
      return;
    }
    const resume: Signal = { type: 'resume', at: this.clock.now(), pauseId, by: ENGINE_ACTOR };
    this.post({ signals: [resume], key: null, isKept: false, replies: [] });
  }
}

/** The execution that a pause freezes because its outcome could not be decided. */
function executionFrozenBy(state: RunState, pauseId: number | null): number | null {
  const pause = pauseId === null ? undefined : pauseOf(state, pauseId);
  return pause?.reason === 'undecided' ? pause.executionId : null;
}

import { ENGINE_ACTOR } from '../../core/log/actor.js';
import type { Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import { executionOf } from '../../core/waits/execution.js';
import { openPausesOf, pauseOf } from '../../core/waits/pause.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import { doublingMs } from '../doubling.js';
import type { Mail } from './mail.js';

/** How often, and how long apart, a decision is tried again by itself. After that a resume does it. */
const RETRY = { firstMs: 1_000, longestMs: 300_000, attempts: 12 };

export type Answer = Signal & { readonly type: 'unit-finished' | 'unit-attempt-failed' };

const NOTHING: readonly Answer[] = [];

interface Kept {
  readonly signal: Answer;
  readonly attempts: number;
  readonly cancel: CancelTimer;
}

/**
 * Answers of units on which no decision could be made. The unit is never called again for that: its answer is kept
 * here, its execution is held by a pause, and lifting that pause decides on the answer.
 */
export class UndecidedAnswers {
  private readonly kept = new Map<number, Kept>();
  private isStopped = false;

  constructor(
    private readonly clock: Clock,
    /** Offers a resume to the run. */
    private readonly post: (mail: Mail) => void,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  has(executionId: number): boolean {
    return this.kept.has(executionId);
  }

  /** Keeps the answer until it is decided upon; again and again, with longer waits, it is tried by itself. */
  keep(executionId: number, signal: Answer, current: () => RunState): void {
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

  /** The mail with the answers that its resumes let go: they are decided together, or not at all. */
  withAnswers(mail: Mail, state: RunState): Mail {
    if (this.kept.size === 0) return mail;
    const signals = mail.signals.flatMap((signal) => {
      const executionId = signal.type === 'resume' ? heldBy(state, signal.pauseId) : null;
      const kept = executionId === null ? undefined : this.kept.get(executionId);
      return kept === undefined ? [signal] : [signal, kept.signal];
    });
    return signals.length === mail.signals.length ? mail : { ...mail, signals };
  }

  /** These were decided upon, and it is stored. */
  settle(signals: readonly Signal[]): void {
    if (this.kept.size === 0) return;
    for (const signal of signals) {
      if (!('executionId' in signal) || signal.executionId === null) continue;
      this.kept.get(signal.executionId)?.cancel();
      this.kept.delete(signal.executionId);
    }
  }

  /**
   * Forgets those that nothing holds any more, and answers with them: they are to be decided upon now. Where another process
   * lifted the pause, the execution is open; else they come to nothing, and whoever keeps the execution from being called
   * learns of it.
   */
  takeFreed(state: RunState): readonly Answer[] {
    if (this.kept.size === 0) return NOTHING;
    const freed: Answer[] = [];
    for (const [executionId, { signal, cancel }] of this.kept) {
      const execution = state.phase === 'live' ? executionOf(state, executionId) : undefined;
      if (execution !== undefined && execution.heldBy !== null) continue;
      cancel();
      this.kept.delete(executionId);
      freed.push(signal);
    }
    return freed;
  }

  /** The run left this process: nothing is tried again here. */
  stop(): void {
    this.isStopped = true;
    for (const { cancel } of this.kept.values()) cancel();
    this.kept.clear();
  }

  private tryAgain(executionId: number, state: RunState): void {
    const pauseId = openPausesOf(state).find((id) => heldBy(state, id) === executionId);
    if (pauseId === undefined) {
      this.kept.delete(executionId);
      return;
    }
    const resume: Signal = { type: 'resume', at: this.clock.now(), pauseId, by: ENGINE_ACTOR };
    this.post({ signals: [resume], key: null, isKept: false, replies: [] });
  }
}

/** The execution that a pause holds back because its answer could not be decided upon. */
function heldBy(state: RunState, pauseId: number | null): number | null {
  const pause = pauseId === null ? undefined : pauseOf(state, pauseId);
  return pause?.reason === 'undecided' ? pause.executionId : null;
}

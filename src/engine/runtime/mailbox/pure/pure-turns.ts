import type { RunEvent } from '../../../core/log/event.js';
import type { Signal } from '../../../core/signal.js';
import type { RunState } from '../../../core/state/state.js';
import { StoreError } from '../../../../errors/service-errors.js';
import { isWindingDown, type Dispatcher } from '../../dispatch/dispatcher.js';
import { PureCalls } from '../../dispatch/pure-calls.js';
import type { RunInMemory, RunShell } from '../../run-shell.js';
import type { DecidedBatch } from '../decide-batch.js';
import { LostCalls } from './lost-calls.js';
import { withPureUnits } from './with-pure-units.js';

/**
 * The turns of one run that execute pure units (decision 0104), and when there are none: before the answer to a start that
 * is not waited for, in a run that may have killed its process, and where the store refused such a turn for good.
 */
export class PureTurns {
  private readonly calls: PureCalls;
  private backlog: readonly number[] = NOTHING;
  /** A process died while units of the run were being called. */
  private isSuspect = false;
  /** Null: no call was lost, as in nearly every run. */
  private lost: LostCalls | null = null;
  /** The turn that is being stored has executed pure units. */
  private isMixed = false;
  /** The store refused such a turn for good: until something was stored, each message is decided by itself. */
  private isBarred = false;

  constructor(
    private readonly run: RunInMemory,
    private readonly shell: RunShell,
    dispatcher: Dispatcher,
  ) {
    this.calls = new PureCalls(run, shell, dispatcher);
  }

  /** Whether a call that was lost is still to be scheduled: the run stays in memory, or nobody would count it. */
  get awaitsLostCalls(): boolean {
    return this.lost !== null && !this.lost.isEmpty;
  }

  get hasBacklog(): boolean {
    return this.backlog.length > 0;
  }

  /** The run was loaded: what is to be called follows from its state alone. */
  startOver(): void {
    this.backlog = NOTHING;
  }

  /** Called before the messages are decided. */
  begin(from: RunState, signals: readonly Signal[]): void {
    this.isMixed = false;
    for (const signal of signals) {
      if (signal.type !== 'recover' || signal.begun.length === 0) continue;
      this.isSuspect = true;
      this.lost ??= new LostCalls(signal.begun, from);
    }
  }

  /** The batch, followed by what the pure units lead to that may be executed in its turn. */
  follow(from: RunState, decided: DecidedBatch, isOver: () => boolean): DecidedBatch {
    const { backlog, calls } = this;
    if (this.isSuspect || this.isBarred || !calls.mayBePure) return decided;
    const { limits } = this.shell;
    const isStored = from.seq > 0;
    const mixed = withPureUnits(this.run.definition.plan, decided, {
      calls,
      limits,
      backlog,
      isStored,
      isOver,
    });
    this.isMixed = mixed.isMixed === true;
    return mixed;
  }

  /** Nothing of the last turn is known to be stored. True: it is to be decided again, unit by unit. */
  failed(error: unknown): boolean {
    this.isBarred ||= this.isMixed && error instanceof StoreError && error.permanent;
    return this.isMixed && this.isBarred;
  }

  stored({ pureBacklog = NOTHING }: DecidedBatch): void {
    this.backlog = pureBacklog;
    this.isBarred = false;
  }

  /** The signal by which calls count that were lost, and that these events scheduled again; null: there are none. */
  recoveryOf(events: readonly RunEvent[], at: number): Signal | null {
    const begun = this.lost?.takeScheduled(events, this.run.durable) ?? NOTHING;
    return begun.length === 0 ? null : { type: 'recover', at, begun };
  }

  /** Whether the batch schedules a pure unit, which is called next. */
  isNextOf(decided: DecidedBatch): boolean {
    return this.calls.mayBePure && this.calls.isNextOf(decided);
  }

  /** Whether the run did all of the batch by itself, as far as pure units are concerned: then its pace is looked at. */
  isOwnDoing(from: RunState, { isMixed, results, state }: DecidedBatch): boolean {
    if (!this.calls.mayBePure || state.phase !== 'live' || isWindingDown(state)) return false;
    return (
      isMixed === true ||
      results.some(({ message }) => message.signals.some((signal) => this.isOutcomeOfPure(from, signal)))
    );
  }

  isOutcomeOfPure(from: RunState, signal: Signal): boolean {
    return this.calls.isOutcomeOf(from, signal);
  }
}

const NOTHING: readonly never[] = [];

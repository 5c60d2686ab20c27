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
  /** How many events the turn has that is being stored, if it has executed pure units. */
  private mixedEvents = 0;
  /** The store refused such a turn for good: until as many events are stored, each message is decided by itself. */
  private barredEvents = 0;
  /** A loop of it has begun another pass here: only loops go on for ever, a fan-out ends. */
  private isLooping = false;
  /** Calls are held that are not in the backlog, or due that nobody knows of: the dispatcher is next. */
  private isDispatchNext = false;

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
    this.mixedEvents = 0;
    for (const signal of signals) {
      // A retry is due, or a unit was registered: that shows in no event, and must not wait for the end of the backlog.
      if (signal.type === 'timer-due' || signal.type === 'recover') this.isDispatchNext = true;
      if (signal.type !== 'recover' || signal.begun.length === 0) continue;
      this.isSuspect = true;
      this.lost ??= new LostCalls(signal.begun, from);
    }
  }

  /** The batch, followed by what the pure units lead to that may be executed in its turn. */
  follow(from: RunState, decided: DecidedBatch, isOver: () => boolean): DecidedBatch {
    const { backlog, calls } = this;
    if (this.isSuspect || this.isDispatchNext || this.barredEvents > 0 || !calls.mayBePure) return decided;
    const { limits } = this.shell;
    const isStored = from.seq > 0;
    const mixed = withPureUnits(this.run.definition.plan, decided, {
      calls,
      limits,
      backlog,
      isStored,
      isOver,
    });
    if (mixed.isMixed === true) this.mixedEvents = mixed.events.length;
    return mixed;
  }

  /** Nothing of the last turn is known to be stored. True: it is to be decided again, unit by unit. */
  failed(error: unknown): boolean {
    const refused = error instanceof StoreError && error.permanent ? this.mixedEvents : null;
    this.mixedEvents = 0;
    // A message that is refused by itself is the one at fault.
    if (refused !== null) this.barredEvents = refused;
    return refused !== null && refused > 0;
  }

  stored({ events, pureBacklog = NOTHING }: DecidedBatch): void {
    this.backlog = pureBacklog;
    this.isLooping ||= this.calls.mayBePure && events.some(isNextPass);
    this.barredEvents = Math.max(0, this.barredEvents - events.length);
  }

  /** The calls were made that the state requires. */
  dispatched(): void {
    this.isDispatchNext = false;
  }

  /** The calls that the state requires wait for a later turn. */
  held(): void {
    this.isDispatchNext ||= !this.hasBacklog;
  }

  /** The signal by which calls count that were lost, and are scheduled again by now; null: there are none. */
  recoveryOf(appended: number, at: number): Signal | null {
    if (this.lost === null || this.lost.isEmpty) return null;
    const { durable } = this.run;
    const begun = this.lost.takeScheduled(durable, appended, (id) => this.calls.isOfHost(durable, id));
    return begun.length === 0 ? null : { type: 'recover', at, begun };
  }

  /** Whether the batch schedules a pure unit, which is called next. */
  isNextOf(decided: DecidedBatch): boolean {
    return this.calls.mayBePure && this.calls.isNextOf(decided);
  }

  /** Whether the run loops, and did all of the batch by itself, as far as pure units are concerned: then its pace is looked at. */
  isOwnDoing(from: RunState, { isMixed, results, state }: DecidedBatch): boolean {
    if (!this.isLooping || state.phase !== 'live' || isWindingDown(state)) return false;
    return (
      isMixed === true ||
      results.some(({ message }) => message.signals.some((signal) => this.isOutcomeOfPure(from, signal)))
    );
  }

  /** Whether units were executed in the batch, and the run does not loop: it comes to its end by them. */
  isFedByUnits({ isMixed }: DecidedBatch): boolean {
    return isMixed === true && !this.isLooping;
  }

  /** Whether the signal is the outcome of a pure unit in a run that loops: nothing that comes from outside. */
  isOutcomeOfPure(from: RunState, signal: Signal): boolean {
    return this.isLooping && this.calls.isOutcomeOf(from, signal);
  }
}

const NOTHING: readonly never[] = [];

function isNextPass(event: RunEvent): boolean {
  return event.type === 'condition-read' && event.again;
}

import { StoreError } from '../../../errors/service-errors.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import { INITIAL_STATE, type RunState } from '../../core/state/state.js';
import { nextWakeUp } from '../../core/next-wake-up.js';
import type { Definition } from '../../definitions/definition.js';
import type { AppendRequest, AppendResult, IdempotencyRecord } from '../../ports/store/append.js';
import { meteredAppend } from '../telemetry/metered-append.js';
import { Dispatcher, type DispatchEvents } from '../dispatch/dispatcher.js';
import { appendRequest } from './appending/append-request.js';
import { decideBatch, type DecidedBatch, type MessageResult } from './decide-batch.js';
import { withoutKnown } from './inbox/known-keys.js';
import { loadState } from './loading/load-state.js';
import { outcomeIn, executionIn, faultOf, withPauses } from './pauses-for-undecided.js';
import { RunHistory } from './run-history.js';
import { RunRisk } from './run-risk.js';
import { rejectAll, resolveAll, type InboxMessage } from './inbox/inbox-message.js';
import { Drain, type Drainable, type Waiting } from './inbox/drain.js';
import type { RunInMemory, RunShell } from '../run-shell.js';
import { PreemptedTurns } from './preempted-turns.js';
import { PureTurns } from './pure/pure-turns.js';
import { StateWriteInterval } from './loading/state-write-interval.js';
import { StoreTrouble } from './appending/store-trouble.js';
import { SliceAccount } from './slice-scheduler.js';
import { UndecidedOutcomes } from './undecided-outcomes.js';

/** A run that is to be woken within this time stays in memory until then. */
const SOON_MS = 1_000;

/**
 * The mailbox of one live run: what happened to it goes in, what follows from that is stored, and only then acted upon.
 *
 * It is step 3 and step 10 of the path from a unit's outcome to the next call: docs/paths.md#outcome.
 *
 * 1. Signals are decided one after another, on `head`; what they cause is appended in order, many per write.
 * 2. Commands, replies and wake-ups are released only when the append that holds their events is durable.
 * 3. On a conflict the head is loaded again and the same signals are decided again.
 * 4. When the store fails the head is dropped, waiting callers are rejected, and outcomes of units are kept and offered
 *    again: a unit is never called again because a disk was full. What the store wrote although it failed is found by
 *    loading, and the run continues from there.
 * 5. When deciding fails the run is paused, with the cause in its log; a unit's outcome is kept and decided again, and
 *    the unit is not called again.
 * 6. A run with nothing in flight, no checkout and an empty mailbox leaves memory, unless it is due soon.
 */
export class LiveRun implements RunInMemory, DispatchEvents, Drainable {
  durable: RunState = INITIAL_STATE;
  /** How many checkouts are open (see `LiveRuns.withRun`). */
  checkouts = 0;
  /** Whether this is the copy entered in `LiveRuns`: any other copy only decides and appends. */
  isOwned = false;
  /** The registration that the run is started from, where it has to be checked; read when the append is made. */
  startedFrom: () => AppendRequest['startedFrom'] = () => null;

  /** Whoever starts it is answered when the start is stored, and no unit is executed before. */
  isAnsweredAtStart = false;

  /** Calls its units. */
  readonly dispatcher: Dispatcher;

  private head: RunState = INITIAL_STATE;
  /** The durable state that the notifier was last given. */
  private notifiedState: RunState = INITIAL_STATE;
  private readonly log = new RunHistory();
  private readonly stateWriteInterval = new StateWriteInterval();
  private readonly account: SliceAccount;
  private readonly risk: RunRisk;
  /** Null: there were none so far, as in nearly every run. */
  private undecided: UndecidedOutcomes | null = null;
  private readonly drain: Drain;
  /** Executes units in the turn that schedules them. */
  private readonly pure: PureTurns;
  /** Null: no turn was preempted so far. */
  private preempted: PreemptedTurns | null = null;
  /** Another process may have written, or a failed write may have happened all the same. */
  isInDoubt = false;
  /** Loading brought events of which nobody was notified yet. */
  private isAhead = false;
  /** The shard went to another process, or this one ends: what the store refuses now is not offered again. */
  hasLeft = false;
  /** The wake-up that was last requested; undefined: none that is known to be set. */
  private wakeAt: number | null | undefined = null;
  /** That wake-up fired. What follows may be due at the same instant, and needs a wake-up of its own. */
  private hasFired = false;

  constructor(
    readonly runId: string,
    readonly definition: Definition,
    private readonly shell: RunShell,
  ) {
    this.account = new SliceAccount(this);
    this.risk = new RunRisk(runId, shell.store);
    this.drain = new Drain(this, shell, new StoreTrouble(runId, shell));
    this.dispatcher = new Dispatcher(this, shell, this);
    this.pure = new PureTurns(this, shell, this.dispatcher);
  }

  get namespace(): string {
    return this.definition.namespace;
  }

  /** Null: nobody who was authenticated started it, or it has not begun. */
  get owner(): string | null {
    return this.durable.owner ?? null;
  }

  get workflowId(): string {
    return this.definition.plan.workflowId;
  }

  get history(): readonly RunEvent[] | null {
    return this.log.events;
  }

  get isIdle(): boolean {
    return this.drain.isIdle && (this.preempted?.isEmpty ?? true) && !this.dispatcher.hasInFlight;
  }

  /** Whether all its messages are decided and stored: until then `durable` may be older than what it received. */
  get isSettled(): boolean {
    return this.drain.isIdle && (this.preempted?.isEmpty ?? true) && !this.isInDoubt;
  }

  /** Whether something of it is in progress here, or queued: then it moves again by itself. */
  get isUnderWay(): boolean {
    return !this.isIdle || this.isInDoubt || this.dispatcher.isWaitingForSlot || this.hasUndecided;
  }

  /** A turn of it was preempted, here or in the process before, and is still to be continued. */
  private get isMidTurn(): boolean {
    return this.risk.isPreempted || this.preempted?.hasOpen === true;
  }

  /** The process before was to continue a turn of it, and nothing here does. */
  get hasUnclaimedTurn(): boolean {
    return this.risk.isPreempted && this.preempted?.hasOpen !== true;
  }

  /** Whether another turn is still to be continued here once these are decided: the row must not forget it. */
  private staysMidTurn(messages: readonly InboxMessage[]): boolean {
    const { preempted } = this;
    return preempted !== null && preempted.openAfter(messages.flatMap(({ signals }) => signals)) > 0;
  }

  /** How many messages wait to be decided. */
  get waiting(): number {
    return this.drain.waiting;
  }

  get hasUndecided(): boolean {
    return this.undecided !== null && this.undecided.size > 0;
  }

  /** Loads what the store knows of the run. False when it knows nothing. */
  async load(): Promise<boolean> {
    const loaded = await loadState(this.shell, { runId: this.runId, atSeq: null });
    if (loaded === null) return false;
    this.durable = this.head = this.notifiedState = loaded.state;
    this.risk.loaded(loaded.row);
    this.stateWriteInterval.restart(loaded.storedLogChars - loaded.sourceChars);
    this.log.restart(loaded.events, loaded.state);
    this.dispatcher.startOver();
    if (this.shell.ownership.followsDeath(this.runId, loaded.row.updatedAt)) this.dispatcher.takeFromDead();
    this.pure.startOver();
    this.wakeAt = undefined;
    return true;
  }

  /** The run is a fork: each time it is loaded, about this many characters of other logs are folded first. */
  startAfterSource(sourceChars: number): void {
    this.stateWriteInterval.restart(-sourceChars);
  }

  /** Resolves when what the request caused is durable: true when it changed something. */
  send(signals: readonly Signal[], key: InboxMessage['key'] = null): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.drain.post({ signals, key, isKept: false, replies: [{ resolve, reject }] });
    });
  }

  /** Like `send`, for what must not be lost: after a rejection the signal is kept and offered to the store again. */
  deliver(signal: Signal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.drain.post({ signals: [signal], key: null, isKept: true, replies: [{ resolve, reject }] });
    });
  }

  /** Resolves when everything that other processes stored so far is loaded, and acted upon. */
  async refresh(): Promise<void> {
    this.isInDoubt = true;
    await this.send([]);
  }

  /**
   * A wake-up fired. If the one it last requested is still ahead, another one fired, which replaced it: it has to be
   * requested again. One that is past is left to the next look, or it would fire without end.
   */
  woken(): void {
    if (typeof this.wakeAt !== 'number') return;
    if (this.wakeAt > this.shell.clock.now()) this.wakeAt = undefined;
    else this.hasFired = true;
  }

  /** Another process owns the run now: what is in flight is aborted, nothing is recorded. */
  releaseOwnership(): void {
    this.hasLeft = true;
    this.isOwned = false;
    this.dispatcher.abandon();
    this.undecided?.stop();
    this.preempted?.stop();
    this.risk.left();
  }

  leaveIfIdle(): void {
    if (this.checkouts > 0 || !this.isIdle || this.dispatcher.isWaitingForSlot || this.hasUndecided) return;
    if (this.isDueSoon || this.pure.awaitsLostCalls) return;
    this.risk.left();
    this.shell.notifier.idle(this);
  }

  /** Its wake-up is near. A run that loops over short waits and was loaded for each would cost the square of its length. */
  private get isDueSoon(): boolean {
    const { wakeAt } = this;
    // After a wake-up that changed nothing there is nothing to wait for here.
    if (typeof wakeAt !== 'number' || this.hasFired || !this.isOwned) return false;
    return wakeAt <= this.shell.clock.now() + SOON_MS;
  }

  onOutcome(signal: Signal): void {
    this.drain.post({ signals: [signal], key: null, isKept: true, replies: NO_REPLIES });
  }

  onSlot(): void {
    this.leaveIfIdle();
  }

  failed(error: unknown): boolean {
    this.head = this.durable;
    this.isInDoubt = true;
    return this.pure.failed(error);
  }

  drained(): void {
    this.risk.drained();
    this.leaveIfIdle();
  }

  /** Decides and appends a batch, again if another process appended first. */
  process(batch: readonly InboxMessage[]): Waiting {
    const from = this.head;
    return this.decide({ batch, messages: this.withOutcomes(batch, from), from }, false);
  }

  /** `isMarked`: the store has recorded already that a turn begins that may kill the process. */
  private decide(turn: UndecidedTurn, isMarked: boolean): Waiting {
    const { messages, from } = turn;
    const deciding = this.shell.slices.takeWithin(this.account, (budget, isOver) => {
      // Not before it is its turn: a run that waits for its slice is not what the process dies of.
      const marking = isMarked ? undefined : this.risk.begin(from, messages, this.pure.hasBacklog);
      if (marking instanceof Promise) return { isPreempted: false, marking } as const;
      this.pure.begin(from, signalsOf(messages));
      const { isMidTurn } = this;
      const { plan } = this.definition;
      const decided = decideBatch(plan, from, messages, this.shell.limits, budget, isMidTurn);
      const isAlone = this.isOwned && !isMidTurn && (from.seq > 0 || !this.isAnsweredAtStart);
      return isAlone ? this.pure.follow(from, decided, isOver) : decided;
    });
    const goOn = (decided: DecidedBatch | Marking): Waiting =>
      'marking' in decided
        ? decided.marking.then(() => this.decide(turn, true))
        : this.store({ ...turn, decided });
    return deciding instanceof Promise ? deciding.then(goOn) : goOn(deciding);
  }

  private store(turn: DecidedTurn): Waiting {
    const { decided } = turn;
    // Read once for all that follows synchronously: the clock is not free.
    const now = this.shell.clock.now();
    const { events, state } = withPauses(this.definition.plan, decided, now, this.isMidTurn);
    this.head = state;
    if (events.length === 0) return this.conclude(turn, events, now);
    const result = this.append(turn, events);
    if (result === 'appended') return this.conclude(turn, events, now);
    return this.appended(turn, events, result);
  }

  private async appended(
    turn: DecidedTurn,
    events: readonly RunEvent[],
    appending: AppendResult | Promise<AppendResult>,
  ): Promise<void> {
    const result = await appending;
    if (result === 'appended') return this.conclude(turn, events, this.shell.clock.now());
    if (turn.from.seq === 0) {
      for (const message of turn.batch) rejectAll(message, new StartRefused(result));
      this.head = this.durable;
      return;
    }
    if (!(await this.reload())) throw new Error(`The log of the run ${this.runId} is gone.`);
    await this.process(await withoutKnown(this.shell.store, turn.batch));
  }

  /** What was decided is durable: it is acted upon, and waiting callers are resolved. */
  private conclude(
    { batch, messages, from, decided }: DecidedTurn,
    events: readonly RunEvent[],
    now: number,
  ) {
    const { results, continuations, left } = decided;
    this.risk.decided(messages, continuations.length > 0);
    for (const { message } of results) this.preempted?.settle(message.signals);
    this.pure.stored(decided);
    const waitMs = this.paceAfter(from, decided);
    if (continuations.length > 0) this.ownTurns().add(decided, waitMs);
    for (const result of results) this.settle(result);
    this.release(events, now, this.holdsCalls(from, decided, waitMs));
    for (const result of results) {
      if (result.kind === 'decided') resolveAll(result.message, result.changed);
    }
    if (left.length > 0) this.drain.requeue(batch.slice(-left.length));
    return undefined;
  }

  private ownTurns(): PreemptedTurns {
    return (this.preempted ??= new PreemptedTurns(
      this.shell.clock,
      (signal) => this.onOutcome(signal),
      (from, signal) => this.pure.isOutcomeOfPure(from, signal),
    ));
  }

  /** How long the run has to wait, in ms, before it goes on by itself. */
  private paceAfter(from: RunState, decided: DecidedBatch): number {
    const isOwnDoing = decided.continuations.length > 0 || this.pure.isOwnDoing(from, decided);
    if (!isOwnDoing && this.preempted === null) return 0;
    return this.ownTurns().waitAfter(from, decided, this.pure.isFedByUnits(decided));
  }

  /** Whether what has to be called now is called later: after the answer to a start, or at the run's own pace. */
  private holdsCalls(from: RunState, decided: DecidedBatch, waitMs: number): boolean {
    if (!this.isOwned || this.hasLeft) return false;
    if (from.seq === 0 && this.isAnsweredAtStart && this.pure.isNextOf(decided)) {
      this.ownTurns().soon(() => this.goOn());
      return true;
    }
    const { hasBacklog } = this.pure;
    if (!hasBacklog && (waitMs === 0 || !this.pure.isOwnDoing(from, decided))) return false;
    if (waitMs > 0) this.ownTurns().hold(waitMs, () => this.goOn());
    else this.goOn();
    return true;
  }

  /** Goes on with what was held. */
  private goOn(): void {
    this.drain.post({ signals: [], key: null, isKept: false, replies: NO_REPLIES });
  }

  private withOutcomes(batch: readonly InboxMessage[], from: RunState): readonly InboxMessage[] {
    const { undecided } = this;
    if (undecided === null || undecided.size === 0) return batch;
    return batch.map((message) => undecided.withOutcomes(message, from));
  }

  /** A message that is decided and stored is settled; one that could not be decided is logged, its outcome kept. */
  private settle(result: MessageResult): void {
    const { message } = result;
    if (result.kind === 'decided') {
      this.dispatcher.settle(message.signals);
      this.undecided?.settle(message.signals);
      return;
    }
    this.shell.logger.error('What happened to a run could not be decided; the run is paused', {
      runId: this.runId,
      signals: message.signals.map(({ type }) => type),
      error: faultOf(result.error),
    });
    const executionId = executionIn(message);
    if (executionId !== null) this.dispatcher.suspend(executionId);
    const outcomeSignal = outcomeIn(message);
    if (outcomeSignal === undefined) rejectAll(message, result.error);
    else {
      this.undecided ??= new UndecidedOutcomes(this.shell.clock, (again) => this.drain.post(again));
      this.undecided.keep(outcomeSignal.executionId, outcomeSignal, () => this.durable);
      resolveAll(message, false);
    }
  }

  private append(
    { from, messages, decided }: DecidedTurn,
    events: readonly RunEvent[],
  ): AppendResult | Promise<AppendResult> {
    const { head } = this;
    const { store, settings, telemetry, ownership } = this.shell;
    const request = appendRequest(from, head, events, {
      storedState: this.stateWriteInterval.stateToStore(head),
      idempotency: keysOf(decided.results),
      startedFrom: from.seq === 0 ? this.startedFrom() : null,
      isPreempted: decided.continuations.length > 0 || this.staysMidTurn(messages),
      isForeign: !this.isOwned || !ownership.owns(this.runId),
    });
    return meteredAppend(store, settings.sealed(request), telemetry);
  }

  /** What is durable now may be seen and acted upon: here, or by the run's owner. */
  private release(events: readonly RunEvent[], now: number, holdsCalls: boolean): void {
    this.durable = this.head;
    this.log.add(events, this.durable);
    const hasMoved = events.length > 0 || this.isAhead;
    const before = this.isAhead ? null : this.notifiedState;
    this.notifiedState = this.durable;
    this.isAhead = false;
    const { ownership, notifier } = this.shell;
    const isActive = this.isOwned && ownership.owns(this.runId);
    if (isActive) {
      for (const signal of this.undecided?.takeFreed(this.durable) ?? []) this.onOutcome(signal);
      if (hasMoved && this.hasFired) this.wakeAt = undefined;
      this.wake(now);
    } else if (hasMoved) ownership.nudge(this.runId);
    if (hasMoved) notifier.changed(this, events, before);
    // Last, because a unit may complete synchronously.
    if (!isActive) return;
    const recovery = this.pure.recoveryOf(events.length, now);
    if (recovery !== null) this.onOutcome(recovery);
    if (holdsCalls || recovery !== null) {
      this.pure.held();
      this.dispatcher.hold(events);
    } else {
      this.pure.dispatched();
      this.dispatcher.dispatch(events, now);
    }
  }

  private wake(now: number): void {
    const wakeAt = nextWakeUp(this.durable, now);
    if (wakeAt === this.wakeAt) return;
    this.hasFired = false;
    this.wakeAt = wakeAt;
    this.shell.ownership.wakeAt(this.runId, wakeAt);
  }

  /** Loads what was written by others, or by a write that failed; the next `release` notifies of it. */
  async reload(): Promise<boolean> {
    this.isInDoubt = false;
    const { seq } = this.durable;
    const isFound = await this.load().catch((error: unknown) => {
      // The messages that wait to be stored are not the reason that the run cannot be read.
      if (error instanceof StoreError && error.permanent)
        throw new StoreError(error.message, { cause: error });
      throw error;
    });
    this.isAhead ||= this.durable.seq !== seq;
    return isFound;
  }
}

/** The turn has not begun: the store is still recording that it will. */
interface Marking {
  readonly marking: Promise<void>;
}

interface UndecidedTurn {
  readonly batch: readonly InboxMessage[];
  /** The same messages, with the outcomes that were kept for them. */
  readonly messages: readonly InboxMessage[];
  readonly from: RunState;
}

/** A batch that was decided. */
interface DecidedTurn extends UndecidedTurn {
  readonly decided: DecidedBatch;
}

const NO_REPLIES: InboxMessage['replies'] = [];
const NO_KEYS: readonly IdempotencyRecord[] = [];

function signalsOf(messages: readonly InboxMessage[]): readonly Signal[] {
  const [only] = messages;
  return only !== undefined && messages.length === 1
    ? only.signals
    : messages.flatMap(({ signals }) => signals);
}

function keysOf(results: readonly MessageResult[]): readonly IdempotencyRecord[] {
  const keys = results.flatMap(({ kind, message }) =>
    kind === 'decided' && message.key !== null ? [message.key.record] : NO_KEYS,
  );
  return keys.length === 0 ? NO_KEYS : keys;
}

/** The start of a run was refused: its key was used already, or the workflow was registered again. */
export class StartRefused extends Error {
  constructor(readonly reason: 'conflict' | 'stale') {
    super(reason);
  }
}

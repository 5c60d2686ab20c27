import { StoreError } from '../../../errors/service-errors.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import { INITIAL_STATE, type RunState } from '../../core/state/state.js';
import { nextAlarm } from '../../core/next-alarm.js';
import type { Definition } from '../../definitions/definition.js';
import type { AppendRequest, AppendResult, IdempotencyRecord } from '../../ports/run-store.js';
import { meteredAppend } from '../telemetry/metered-append.js';
import { Dispatcher, type DispatchEvents } from '../dispatch/dispatcher.js';
import { appendRequest } from './append-request.js';
import { decideBatch, type DecidedBatch, type Outcome } from './decide-batch.js';
import { withoutKnown } from './known-keys.js';
import { loadState } from './load-state.js';
import { answerIn, executionIn, faultOf, withPauses } from './pauses-for-undecided.js';
import { RunHistory } from './run-history.js';
import { RunRisk } from './run-risk.js';
import { rejectAll, resolveAll, type Mail } from './mail.js';
import { Pump, type Pumped, type Waiting } from './pump.js';
import type { RunInMemory, RunShell } from './run-shell.js';
import { SlowedTurns } from './slowed-turns.js';
import { StatePace } from './state-pace.js';
import { StoreTrouble } from './store-trouble.js';
import { TurnAccount } from './turns.js';
import { UndecidedAnswers } from './undecided-answers.js';

/** A run that has to be woken within so long stays in memory until then. */
const SOON_MS = 1_000;

/**
 * The mailbox of one live run: what happened to it goes in, what follows from that is stored, and only then acted upon.
 *
 * From a unit's answer to the next call: `Flight` hands the answer to the dispatcher, which posts it here (`onAnswer`);
 * the `Pump` takes what has gathered (`process`), `decideBatch` asks the core what follows, `append` stores it, `release`
 * lets it be seen, and `Dispatcher.dispatch` calls what was scheduled.
 *
 * 1. Signals are decided one after another, on `head`; what they cause is appended in order, many per write.
 * 2. Commands, answers and wake-ups are released only when the append that holds their events is durable.
 * 3. On a conflict the head is loaded anew and the same signals are decided again.
 * 4. When the store fails the head is dropped; whoever waits is told, results of units are kept and offered again: a
 *    unit is never called again because a disk was full. What the store wrote although it failed is found by loading,
 *    and the run goes on from there.
 * 5. When deciding fails the run is paused, the cause in its log; a unit's answer is kept and decided upon again, the
 *    unit is not called again.
 * 6. A run with nothing in flight, nobody who holds it and an empty mailbox leaves memory, unless it goes on in a moment.
 */
export class LiveRun implements RunInMemory, DispatchEvents, Pumped {
  durable: RunState = INITIAL_STATE;
  /** How many use the run at the moment (see `LiveRuns.withRun`). */
  leases = 0;
  /** Whether it is the one of this process's memory (see `LiveRuns`): any other copy decides and appends, no more. */
  isOurs = false;
  /** The registration that the run is started from, where that has to be checked; asked when the append is made. */
  startedFrom: () => AppendRequest['startedFrom'] = () => null;

  /** Calls its units. */
  readonly dispatcher: Dispatcher;

  private head: RunState = INITIAL_STATE;
  /** The durable state of which others were told last. */
  private told: RunState = INITIAL_STATE;
  private readonly log = new RunHistory();
  private readonly statePace = new StatePace();
  private readonly account: TurnAccount;
  private readonly risk: RunRisk;
  /** Null: there was none so far, as in nearly every run. */
  private undecided: UndecidedAnswers | null = null;
  private readonly pump: Pump;
  /** Null: no turn was cut short so far. */
  private slowed: SlowedTurns | null = null;
  /** Somebody else may have written, or a write failed and may have happened all the same. */
  isInDoubt = false;
  /** Loading brought events of which nobody was told yet. */
  private isAhead = false;
  /** The lane went to another process, or this one ends: what the store refuses now is not offered again. */
  hasLeft = false;
  /** What was last said of when to wake it; undefined: nothing that counts. */
  private wakeAt: number | null | undefined = null;
  /** That alarm rang. What comes of it may be due at the very same instant, and needs an alarm of its own. */
  private hasRung = false;

  constructor(
    readonly runId: string,
    readonly definition: Definition,
    private readonly shell: RunShell,
  ) {
    this.account = new TurnAccount(this);
    this.risk = new RunRisk(runId, shell.store);
    this.pump = new Pump(this, shell, new StoreTrouble(runId, shell));
    this.dispatcher = new Dispatcher(this, shell, this);
  }

  get namespace(): string {
    return this.definition.namespace;
  }

  get workflowId(): string {
    return this.definition.plan.workflowId;
  }

  get history(): readonly RunEvent[] | null {
    return this.log.events;
  }

  get isIdle(): boolean {
    return this.pump.isIdle && (this.slowed?.isEmpty ?? true) && !this.dispatcher.hasFlights;
  }

  /** Whether all that it was told is decided and stored: until then `durable` may be older than what it knows. */
  get isSettled(): boolean {
    return this.pump.isIdle && (this.slowed?.isEmpty ?? true) && !this.isInDoubt;
  }

  /** Whether something of it goes on here, or waits for its turn with others: it will be heard of again. */
  get isUnderWay(): boolean {
    return !this.isIdle || this.isInDoubt || this.dispatcher.isWaitingForPlace || this.hasUndecided;
  }

  /** Mails that wait to be decided. */
  get waiting(): number {
    return this.pump.waiting;
  }

  get hasUndecided(): boolean {
    return this.undecided !== null && this.undecided.size > 0;
  }

  /** Takes over what the store knows of the run. False when it knows nothing. */
  async load(): Promise<boolean> {
    const loaded = await loadState(this.shell, { runId: this.runId, atSeq: null });
    if (loaded === null) return false;
    this.durable = this.head = this.told = loaded.state;
    this.risk.loaded(loaded.row);
    this.statePace.restart(loaded.storedLogChars - loaded.sourceChars);
    this.log.restart(loaded.events, loaded.state);
    this.dispatcher.startOver();
    this.wakeAt = undefined;
    return true;
  }

  /** The run is a fork, before which about so many characters of other logs are folded each time that it is loaded. */
  beginsBehind(sourceChars: number): void {
    this.statePace.restart(-sourceChars);
  }

  /** Resolves when what the request caused is durable: true when it changed something. */
  send(signals: readonly Signal[], key: Mail['key'] = null): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.pump.post({ signals, key, isKept: false, replies: [{ resolve, reject }] });
    });
  }

  /** Like `send`, for what must not be lost: after a rejection the signal is kept and offered to the store again. */
  deliver(signal: Signal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.pump.post({ signals: [signal], key: null, isKept: true, replies: [{ resolve, reject }] });
    });
  }

  /** Resolves when everything that others stored so far is known here, and acted upon. */
  async refresh(): Promise<void> {
    this.isInDoubt = true;
    await this.send([]);
  }

  /**
   * Its alarm rang. That may have been another one than it last asked for, which then stands nowhere any more and has
   * to be asked for again; one that is past is left to the next look, or it would ring without end.
   */
  woken(): void {
    if (typeof this.wakeAt !== 'number') return;
    if (this.wakeAt > this.shell.clock.now()) this.wakeAt = undefined;
    else this.hasRung = true;
  }

  /** The run belongs to another process now: what is in flight is aborted, nothing is recorded. */
  letGo(): void {
    this.hasLeft = true;
    this.isOurs = false;
    this.dispatcher.abandon();
    this.undecided?.stop();
    this.slowed?.stop();
  }

  leaveIfIdle(): void {
    if (this.leases > 0 || !this.isIdle || this.dispatcher.isWaitingForPlace || this.hasUndecided) return;
    if (this.goesOnSoon) return;
    this.shell.news.idle(this);
  }

  /** Its alarm is about to ring: read anew for each short wait, a run that loops over them costs the square of its length. */
  private get goesOnSoon(): boolean {
    const { wakeAt } = this;
    // One that rang and changed nothing has nothing to wait for here.
    if (typeof wakeAt !== 'number' || this.hasRung || !this.isOurs) return false;
    return wakeAt <= this.shell.clock.now() + SOON_MS;
  }

  /** A unit of it answered: to be decided, and never lost. */
  onAnswer(signal: Signal): void {
    this.pump.post({ signals: [signal], key: null, isKept: true, replies: NOBODY });
  }

  /** A place among the executions of the process came free, and was used or not. */
  onPlace(): void {
    this.leaveIfIdle();
  }

  failed(): void {
    this.head = this.durable;
    this.isInDoubt = true;
  }

  rest(): void {
    this.risk.rest();
    this.leaveIfIdle();
  }

  /** Decides and appends a batch, again if somebody else appended first. */
  process(batch: readonly Mail[]): Waiting {
    const from = this.head;
    const mails = this.withAnswers(batch, from);
    const turn = this.shell.turns.takeWithin(this.account, (budget) => {
      this.risk.begin(from, mails);
      return decideBatch(this.definition.plan, from, mails, this.shell.limits, budget);
    });
    if (turn instanceof Promise) return turn.then((decided) => this.store({ batch, mails, from, decided }));
    return this.store({ batch, mails, from, decided: turn });
  }

  private store(turn: TurnInHand): Waiting {
    const { from, decided } = turn;
    // Once for all that follows at once: a clock costs more than a look at it is worth.
    const now = this.shell.clock.now();
    const { events, state } = withPauses(this.definition.plan, decided, now);
    this.head = state;
    if (events.length === 0) return this.conclude(turn, events, now);
    const result = this.append(from, events, decided);
    if (result === 'appended') return this.conclude(turn, events, now);
    return this.appended(turn, events, result);
  }

  private async appended(
    turn: TurnInHand,
    events: readonly RunEvent[],
    appending: AppendResult | Promise<AppendResult>,
  ): Promise<void> {
    const result = await appending;
    if (result === 'appended') return this.conclude(turn, events, this.shell.clock.now());
    if (turn.from.seq === 0) {
      for (const mail of turn.batch) rejectAll(mail, new StartRefused(result));
      this.head = this.durable;
      return;
    }
    if (!(await this.reload())) throw new Error(`The log of the run ${this.runId} is gone.`);
    await this.process(await withoutKnown(this.shell.store, turn.batch));
  }

  /** What was decided is durable: it is acted upon, and whoever waits for it is told. */
  private conclude({ batch, mails, from, decided }: TurnInHand, events: readonly RunEvent[], now: number) {
    const { outcomes, rests, left } = decided;
    this.risk.decided(mails, rests.length > 0);
    if (rests.length > 0) {
      this.slowed ??= new SlowedTurns(this.shell.clock, (signal) => this.onAnswer(signal));
      this.slowed.add(decided, this.head.logChars - from.logChars);
    }
    for (const outcome of outcomes) this.settle(outcome);
    this.release(events, now);
    for (const outcome of outcomes) {
      if (outcome.kind === 'decided') resolveAll(outcome.mail, outcome.changed);
    }
    if (left.length > 0) this.pump.putBack(batch.slice(-left.length));
    return undefined;
  }

  private withAnswers(batch: readonly Mail[], from: RunState): readonly Mail[] {
    const { undecided } = this;
    if (undecided === null || undecided.size === 0) return batch;
    return batch.map((mail) => undecided.withAnswers(mail, from));
  }

  /** What was decided upon, and is stored, needs no guarding any more; what was not is kept, and said. */
  private settle(outcome: Outcome): void {
    const { mail } = outcome;
    if (outcome.kind === 'decided') {
      this.dispatcher.settle(mail.signals);
      this.undecided?.settle(mail.signals);
      return;
    }
    this.shell.logger.error('What happened to a run could not be decided; the run is paused', {
      runId: this.runId,
      signals: mail.signals.map(({ type }) => type),
      error: faultOf(outcome.error),
    });
    const executionId = executionIn(mail);
    if (executionId !== null) this.dispatcher.setAside(executionId);
    const answer = answerIn(mail);
    if (answer === undefined) rejectAll(mail, outcome.error);
    else {
      this.undecided ??= new UndecidedAnswers(this.shell.clock, (again) => this.pump.post(again));
      this.undecided.keep(answer.executionId, answer, () => this.durable);
      resolveAll(mail, false);
    }
  }

  private append(
    from: RunState,
    events: readonly RunEvent[],
    decided: DecidedBatch,
  ): AppendResult | Promise<AppendResult> {
    const { head } = this;
    const { store, settings, telemetry } = this.shell;
    const request = appendRequest(from, head, events, {
      storedState: this.statePace.stateToStore(head),
      idempotency: keysOf(decided.outcomes),
      startedFrom: from.seq === 0 ? this.startedFrom() : null,
      isCutShort: decided.rests.length > 0,
      isAside: !this.isOurs,
    });
    return meteredAppend(store, settings.sealed(request), telemetry);
  }

  /** What is durable now may be seen and acted upon: by us, or by the run's owner. */
  private release(events: readonly RunEvent[], now: number): void {
    this.durable = this.head;
    this.log.add(events, this.durable);
    const hasMoved = events.length > 0 || this.isAhead;
    const before = this.isAhead ? null : this.told;
    this.told = this.durable;
    this.isAhead = false;
    const { ownership, news } = this.shell;
    const isActive = this.isOurs && ownership.owns(this.runId);
    if (isActive) {
      for (const signal of this.undecided?.takeFreed(this.durable) ?? []) this.onAnswer(signal);
      if (hasMoved && this.hasRung) this.wakeAt = undefined;
      this.wake(now);
    } else if (hasMoved) ownership.nudge(this.runId);
    if (hasMoved) news.changed(this, events, before);
    // Last: a unit may answer at once.
    if (isActive) this.dispatcher.dispatch(events, now);
  }

  private wake(now: number): void {
    const wakeAt = nextAlarm(this.durable, now);
    if (wakeAt === this.wakeAt) return;
    this.hasRung = false;
    this.wakeAt = wakeAt;
    this.shell.ownership.wakeAt(this.runId, wakeAt);
  }

  /** Loads what was written by others, or by a write that failed; the next `release` tells of it. */
  async reload(): Promise<boolean> {
    this.isInDoubt = false;
    const { seq } = this.durable;
    const isFound = await this.load().catch((error: unknown) => {
      // That the run cannot be read is not the fault of what waits to be stored.
      if (error instanceof StoreError && error.permanent)
        throw new StoreError(error.message, { cause: error });
      throw error;
    });
    this.isAhead ||= this.durable.seq !== seq;
    return isFound;
  }
}

/** A batch that was decided. */
interface TurnInHand {
  readonly batch: readonly Mail[];
  /** The same, with the answers that were kept for it. */
  readonly mails: readonly Mail[];
  readonly from: RunState;
  readonly decided: DecidedBatch;
}

const NOBODY: Mail['replies'] = [];
const NO_KEYS: readonly IdempotencyRecord[] = [];

function keysOf(outcomes: readonly Outcome[]): readonly IdempotencyRecord[] {
  const keys = outcomes.flatMap(({ kind, mail }) =>
    kind === 'decided' && mail.key !== null ? [mail.key.record] : NO_KEYS,
  );
  return keys.length === 0 ? NO_KEYS : keys;
}

/** The start of a run was refused: somebody made it under the same key, or the workflow was registered anew. */
export class StartRefused extends Error {
  constructor(readonly reason: 'conflict' | 'stale') {
    super(reason);
  }
}

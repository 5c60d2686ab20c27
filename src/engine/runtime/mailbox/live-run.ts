import { IdempotencyConflictError } from '../../../errors/request-errors.js';
import { StoreError } from '../../../errors/service-errors.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import { INITIAL_STATE, type RunState } from '../../core/state/state.js';
import { nextAlarm } from '../../core/next-alarm.js';
import type { Definition } from '../../definitions/definition.js';
import type { AppendRequest } from '../../ports/run-store.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { appendRequest } from './append-request.js';
import { decideBatch, type DecidedBatch, type Outcome } from './decide-batch.js';
import { loadState } from './load-state.js';
import { answerIn, faultOf, withPauses } from './pauses-for-undecided.js';
import { RunHistory } from './run-history.js';
import { RunRisk } from './run-risk.js';
import { rejectAll, resolveAll, withoutRepeats, type Mail } from './mail.js';
import type { RunInMemory, RunShell } from './run-shell.js';
import { StatePace } from './state-pace.js';
import { StoreTrouble } from './store-trouble.js';
import { UndecidedAnswers } from './undecided-answers.js';

/**
 * The mailbox of one live run: what happened to it goes in, what follows from that is stored, and only then acted upon.
 *
 * From a unit's answer to the next call: `Flight` hands the answer to the dispatcher, which posts it here (`post`); the
 * pump takes what has gathered (`process`), `decideBatch` asks the core what follows, `append` stores it, `release`
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
 * 6. A run with nothing in flight, nobody who holds it and an empty mailbox leaves memory.
 */
export class LiveRun implements RunInMemory {
  durable: RunState = INITIAL_STATE;
  /** How many use the run at the moment (see `LiveRuns.withRun`). */
  leases = 0;
  /** Whether it is the one of this process's memory (see `LiveRuns`): any other copy decides and appends, no more. */
  isOurs = false;
  /** The registration that the run is started from, where that has to be checked. */
  startedFrom: AppendRequest['startedFrom'] = null;

  /** Calls its units. */
  readonly dispatcher: Dispatcher;

  private head: RunState = INITIAL_STATE;
  private readonly log = new RunHistory();
  private readonly pace = new StatePace();
  private readonly risk: RunRisk;
  private readonly trouble: StoreTrouble;
  private readonly undecided: UndecidedAnswers;
  private readonly inbox: Mail[] = [];
  private isPumping = false;
  /** Somebody else may have written, or a write failed and may have happened all the same. */
  private isInDoubt = false;
  /** Loading brought events of which nobody was told yet. */
  private isAhead = false;
  /** The lane went to another process, or this one ends: what the store refuses now is not offered again. */
  private hasLeft = false;
  /** What was last said of when to wake it; undefined: nothing that counts. */
  private wakeAt: number | null | undefined = null;

  constructor(
    readonly runId: string,
    readonly definition: Definition,
    private readonly shell: RunShell,
  ) {
    this.risk = new RunRisk(runId, shell.store);
    this.trouble = new StoreTrouble(runId, shell);
    this.undecided = new UndecidedAnswers(shell.clock, (mail) => this.post(mail));
    this.dispatcher = new Dispatcher(this, shell, {
      onAnswer: (signal) => this.keep(signal),
      onPlace: () => this.leaveIfIdle(),
    });
  }

  get history(): readonly RunEvent[] | null {
    return this.log.events;
  }

  get isIdle(): boolean {
    return !this.isPumping && this.inbox.length === 0 && !this.dispatcher.hasFlights;
  }

  get hasUndecided(): boolean {
    return this.undecided.size > 0;
  }

  /** Takes over what the store knows of the run. False when it knows nothing. */
  async load(): Promise<boolean> {
    const loaded = await loadState(this.shell.store, { runId: this.runId, atSeq: null });
    if (loaded === null) return false;
    this.durable = this.head = loaded.state;
    this.risk.loaded(loaded);
    this.pace.restart(loaded.events);
    this.log.restart(loaded.events, loaded.storedSeq);
    this.dispatcher.startOver();
    this.wakeAt = undefined;
    return true;
  }

  /** Resolves when what the request caused is durable: true when it changed something. */
  send(signals: readonly Signal[], key: Mail['key'] = null): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.post({ signals, key, isKept: false, replies: [{ resolve, reject }] });
    });
  }

  /** Like `send`, for what must not be lost: after a rejection the signal is kept and offered to the store again. */
  deliver(signal: Signal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.post({ signals: [signal], key: null, isKept: true, replies: [{ resolve, reject }] });
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
    if (typeof this.wakeAt === 'number' && this.wakeAt > this.shell.clock.now()) this.wakeAt = undefined;
  }

  /** The run belongs to another process now: what is in flight is aborted, nothing is recorded. */
  letGo(): void {
    this.hasLeft = true;
    this.isOurs = false;
    this.dispatcher.abandon();
    this.undecided.stop();
  }

  leaveIfIdle(): void {
    if (this.leases > 0 || !this.isIdle || this.dispatcher.isWaitingForPlace || this.hasUndecided) return;
    this.shell.news.idle(this);
  }

  private keep(signal: Signal): void {
    this.post({ signals: [signal], key: null, isKept: true, replies: [] });
  }

  private post(mail: Mail): void {
    this.inbox.push(mail);
    if (!this.isPumping) void this.pump();
  }

  private async pump(): Promise<void> {
    this.isPumping = true;
    this.shell.inHand.begin();
    let failures = 0;
    while (this.inbox.length > 0 || (this.isInDoubt && !this.hasLeft)) {
      const otherWork = this.shell.fairness.turn();
      if (otherWork !== null) await otherWork;
      // Here, so that a repetition that was refused is not among what is offered once more.
      const batch = withoutRepeats(this.inbox.splice(0, this.trouble.isOneByOne ? 1 : Infinity));
      try {
        if (this.isInDoubt) await this.reload();
        await this.process(batch);
        failures = 0;
        if (this.inbox.length === 0) this.trouble.isOneByOne = false;
      } catch (error) {
        failures++;
        this.head = this.durable;
        this.isInDoubt = true;
        const { hasLeft } = this;
        this.inbox.unshift(...(await this.trouble.meet(batch, error, { failures, hasLeft })));
      }
    }
    this.risk.rest();
    this.isPumping = false;
    this.shell.inHand.end();
    this.leaveIfIdle();
  }

  /** Decides and appends a batch, again if somebody else appended first. */
  private async process(delivered: readonly Mail[]): Promise<void> {
    let batch = delivered;
    for (;;) {
      const from = this.head;
      const mails = this.hasUndecided ? batch.map((mail) => this.undecided.withAnswers(mail, from)) : batch;
      this.risk.begin(from, mails);
      const decided = decideBatch(this.definition.plan, from, mails, this.shell.limits);
      const { events, state } = withPauses(this.definition.plan, decided, this.shell.clock.now());
      this.head = state;
      if (events.length > 0) {
        const result = await this.append(from, events, decided);
        if (result !== 'appended') {
          if (from.seq === 0) {
            for (const mail of batch) rejectAll(mail, new StartRefused(result));
            this.head = this.durable;
            return;
          }
          if (!(await this.reload())) throw new Error(`The log of the run ${this.runId} is gone.`);
          batch = await this.withoutKnown(batch);
          continue;
        }
      }
      this.risk.decided(mails, decided.more);
      if (decided.more) this.keep({ type: 'continue', at: this.shell.clock.now() });
      for (const outcome of decided.outcomes) this.settle(outcome);
      this.release(events);
      for (const outcome of decided.outcomes) {
        if (outcome.kind === 'decided') resolveAll(outcome.mail, outcome.changed);
      }
      return;
    }
  }

  /** What was decided upon, and is stored, needs no guarding any more; what was not is kept, and said. */
  private settle(outcome: Outcome): void {
    const { mail } = outcome;
    if (outcome.kind === 'decided') {
      this.dispatcher.settle(mail.signals);
      this.undecided.settle(mail.signals);
      return;
    }
    this.shell.logger.error('What happened to a run could not be decided; the run is paused', {
      runId: this.runId,
      signals: mail.signals.map(({ type }) => type),
      error: faultOf(outcome.error),
    });
    const answer = answerIn(mail);
    if (answer === undefined) rejectAll(mail, outcome.error);
    else {
      this.undecided.keep(answer.executionId, answer, () => this.durable);
      resolveAll(mail, false);
    }
  }

  /** An append is also refused when one of its keys is in the store: that request was carried out before. */
  private async withoutKnown(batch: readonly Mail[]): Promise<readonly Mail[]> {
    const fresh: Mail[] = [];
    for (const mail of batch) {
      const record = mail.key?.record;
      const known = record === undefined ? null : await this.shell.store.readIdempotency(record);
      if (known === null) fresh.push(mail);
      else if (known.fingerprint === record?.fingerprint) resolveAll(mail, false);
      else rejectAll(mail, new IdempotencyConflictError(known.key));
    }
    return fresh;
  }

  private append(from: RunState, events: readonly RunEvent[], decided: DecidedBatch) {
    const { head } = this;
    return this.shell.store.append(
      appendRequest(from, head, events, {
        storedState: this.pace.stateToStore(head, events),
        idempotency: decided.outcomes.flatMap(({ kind, mail }) =>
          kind === 'decided' && mail.key !== null ? [mail.key.record] : [],
        ),
        startedFrom: this.startedFrom,
        isCutShort: decided.more,
        isAside: !this.isOurs,
      }),
    );
  }

  /** What is durable now may be seen and acted upon: by us, or by the run's owner. */
  private release(events: readonly RunEvent[]): void {
    this.durable = this.head;
    this.log.add(events);
    const hasMoved = events.length > 0 || this.isAhead;
    this.isAhead = false;
    if (this.isOurs && this.shell.ownership.owns(this.runId)) {
      for (const signal of this.undecided.takeFreed(this.durable)) this.keep(signal);
      this.wake();
      this.dispatcher.dispatch(events);
    } else if (hasMoved) {
      this.shell.ownership.nudge(this.runId);
    }
    if (hasMoved) this.shell.news.changed(this, events);
  }

  private wake(): void {
    const wakeAt = nextAlarm(this.durable, this.shell.clock.now());
    if (wakeAt === this.wakeAt) return;
    this.wakeAt = wakeAt;
    this.shell.ownership.wakeAt(this.runId, wakeAt);
  }

  /** Loads what was written by others, or by a write that failed; the next `release` tells of it. */
  private async reload(): Promise<boolean> {
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

/** The start of a run was refused: somebody made it under the same key, or the workflow was registered anew. */
export class StartRefused extends Error {
  constructor(readonly reason: 'conflict' | 'stale') {
    super(reason);
  }
}

import { messageOf } from '../../../errors/flowgate-error.js';
import { decide, type Decision } from '../../core/decide.js';
import type { RunEvent } from '../../core/log/event.js';
import type { Signal } from '../../core/signal.js';
import { INITIAL_STATE, type RunState } from '../../core/state/state.js';
import type { IdempotencyRecord } from '../../ports/run-store.js';
import type { Definition } from '../../definitions/definition.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { loadState } from './load-state.js';
import { withoutRepeats, type Mail } from './mail.js';
import { nextAlarm } from './next-alarm.js';
import { rowOf } from './run-row.js';
import type { RunInMemory, RunShell } from './run-shell.js';
import { StatePace } from './state-pace.js';

/** Above this many events the history is left to the store. */
const MAX_HISTORY_EVENTS = 5_000;
/** How long a store that failed is left alone before results are offered to it again. */
const STORE_RETRY_MS = { first: 50, longest: 5_000 };

/** What became of a batch of mail. */
interface Decided {
  readonly from: RunState;
  readonly events: readonly RunEvent[];
  readonly batch: readonly Mail[];
  /** By mail: whether it caused anything. */
  readonly changed: readonly boolean[];
  /** The turn was cut short. */
  readonly more: boolean;
}

/**
 * The mailbox of one live run.
 *
 * 1. Signals are decided one after another, on `head`; what they cause is appended in order, many per write.
 * 2. Commands, answers and wake-ups are released only when the append that holds their events is durable.
 * 3. On a conflict the head is loaded anew and the same signals are decided again.
 * 4. When the store fails the head is dropped; whoever waits is told, results of units are kept and offered
 *    again: a unit is never called again because a disk was full. What the store wrote although it failed is
 *    found by loading, and the run goes on from there.
 * 5. A run with nothing in flight, no place to wait for and an empty mailbox leaves memory.
 */
export class LiveRun implements RunInMemory {
  durable: RunState = INITIAL_STATE;
  history: RunEvent[] | null = [];

  /** Calls its units. */
  readonly dispatcher: Dispatcher;

  private head: RunState = INITIAL_STATE;
  private readonly pace = new StatePace();
  private readonly inbox: Mail[] = [];
  private isPumping = false;
  /** A write failed, and may have happened all the same. */
  private isInDoubt = false;
  /** Loading brought events of which nobody was told yet. */
  private isAhead = false;
  /** What the driver was told; undefined: nothing that counts. */
  private wakeAt: number | null | undefined = null;

  constructor(
    readonly runId: string,
    readonly definition: Definition,
    private readonly shell: RunShell,
  ) {
    this.dispatcher = new Dispatcher(this, shell, {
      onAnswer: (signal) => this.keep(signal),
      onPlace: () => this.retireIfIdle(),
    });
  }

  get isIdle(): boolean {
    return !this.isPumping && this.inbox.length === 0 && !this.dispatcher.hasFlights;
  }

  /** Takes over what the store knows of the run. False when it knows nothing. */
  async load(): Promise<boolean> {
    const loaded = await loadState(this.shell.store, { runId: this.runId, atSeq: null });
    if (loaded === null) return false;
    this.durable = this.head = loaded.state;
    this.pace.restart(loaded.events);
    this.history = loaded.storedSeq === 0 ? [...loaded.events] : null;
    this.wakeAt = loaded.row.wakeAt;
    return true;
  }

  /** Resolves when what the signal caused is durable: true when it changed something. */
  send(signal: Signal, idempotency: IdempotencyRecord | null = null): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.post({ signal, idempotency, isKept: false, reply: { resolve, reject } });
    });
  }

  /** Like `send`, for what must not be lost: after a rejection the signal is kept and offered to the store again. */
  deliver(signal: Signal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.post({ signal, idempotency: null, isKept: true, reply: { resolve, reject } });
    });
  }

  private keep(signal: Signal): void {
    this.post({ signal, idempotency: null, isKept: true, reply: null });
  }

  private post(mail: Mail): void {
    this.inbox.push(mail);
    if (!this.isPumping) void this.pump();
  }

  private async pump(): Promise<void> {
    this.isPumping = true;
    let failures = 0;
    while (this.inbox.length > 0 || this.isInDoubt) {
      const otherWork = this.shell.fairness.turn();
      if (otherWork !== null) await otherWork;
      const batch = this.inbox.splice(0);
      try {
        if (this.isInDoubt) await this.reload();
        this.isInDoubt = false;
        if (batch.length > 0) await this.process(batch);
        else this.release([]);
        failures = 0;
      } catch (error) {
        failures++;
        await this.waitForStore(batch, error, failures);
      }
    }
    this.isPumping = false;
    this.retireIfIdle();
  }

  private retireIfIdle(): void {
    if (this.isIdle && !this.dispatcher.isWaitingForPlace) this.shell.retire(this);
  }

  /** Decides and appends a batch, again if somebody else appended first. */
  private async process(delivered: readonly Mail[]): Promise<void> {
    let batch = withoutRepeats(delivered);
    for (;;) {
      const events: RunEvent[] = [];
      const changed: boolean[] = [];
      const from = this.head;
      let more = false;
      for (const mail of batch) {
        const decision = this.decided(mail);
        for (const event of decision.events) events.push(event);
        changed.push(decision.events.length > 0);
        // The alarm that brought this signal is spent: whatever is still to come needs a new one.
        if (mail.signal.type === 'timer-due') this.wakeAt = null;
        this.head = decision.state;
        more ||= decision.more;
      }
      if (events.length > 0 && !(await this.append({ from, events, batch, changed, more }))) {
        if (from.seq === 0) {
          for (const { reply } of batch) reply?.reject(new StartConflict());
          this.head = this.durable;
          return;
        }
        if (!(await this.reload())) throw new Error(`The log of the run ${this.runId} is gone.`);
        batch = await this.withoutKnown(batch);
        continue;
      }
      if (more) this.keep({ type: 'continue', at: this.shell.clock.now() });
      this.dispatcher.settle(batch.map(({ signal }) => signal));
      this.release(events);
      batch.forEach((mail, index) => mail.reply?.resolve(changed[index] ?? false));
      return;
    }
  }

  /** A fault in deciding is a fault of ours: whoever sent the mail is told, and the run stays as it was. */
  private decided(mail: Mail): Decision {
    try {
      return decide(this.definition.plan, this.head, mail.signal);
    } catch (error) {
      this.shell.logger.error('A signal could not be decided; the run stays as it was', {
        runId: this.runId,
        signal: mail.signal.type,
        error: messageOf(error),
      });
      mail.reply?.reject(error);
      return { events: [], state: this.head, more: false };
    }
  }

  /** An append is also refused when one of its keys is in the store: that request was carried out before. */
  private async withoutKnown(batch: readonly Mail[]): Promise<readonly Mail[]> {
    const fresh: Mail[] = [];
    for (const mail of batch) {
      const { idempotency, reply } = mail;
      if (idempotency !== null && (await this.shell.store.readIdempotency(idempotency)) !== null) {
        reply?.resolve(false);
      } else fresh.push(mail);
    }
    return fresh;
  }

  private async append({ from, events, batch, changed, more }: Decided): Promise<boolean> {
    const { head } = this;
    const row = rowOf(head);
    const result = await this.shell.store.append({
      runId: this.runId,
      expectedSeq: from.seq,
      events,
      // A turn that was cut short goes on at once, in whichever process.
      row: more ? { ...row, wakeAt: row.updatedAt } : row,
      storedState: this.pace.stateToStore(head, events),
      idempotency: batch.flatMap(({ idempotency }, index) =>
        idempotency !== null && changed[index] === true ? [idempotency] : [],
      ),
    });
    return result === 'appended';
  }

  /** What is durable now may be seen and acted upon. */
  private release(events: readonly RunEvent[]): void {
    this.durable = this.head;
    if (events.length > 0) this.remember(events);
    const hasMoved = events.length > 0 || this.isAhead;
    this.isAhead = false;
    const wakeAt = nextAlarm(this.durable, this.shell.clock.now());
    if (wakeAt !== this.wakeAt) {
      this.wakeAt = wakeAt;
      this.shell.driver.wake({ runId: this.runId, at: wakeAt });
    }
    this.dispatcher.dispatch();
    if (hasMoved) this.shell.changed(this);
  }

  private remember(events: readonly RunEvent[]): void {
    if (this.history === null) return;
    if (this.history.length + events.length > MAX_HISTORY_EVENTS) this.history = null;
    else for (const event of events) this.history.push(event);
  }

  /** Loads what was written by others, or by a write that failed; the next `release` tells of it. */
  private async reload(): Promise<boolean> {
    const { seq } = this.durable;
    const isFound = await this.load();
    if (isFound) this.wakeAt = undefined;
    this.isAhead ||= this.durable.seq !== seq;
    return isFound;
  }

  /** Tells who waits, keeps the results, and leaves the store alone for a while. */
  private async waitForStore(batch: readonly Mail[], error: unknown, failures: number): Promise<void> {
    for (const { reply } of batch) reply?.reject(error);
    const kept = batch.filter(({ isKept }) => isKept).map((mail) => ({ ...mail, reply: null }));
    this.head = this.durable;
    this.isInDoubt = true;
    this.inbox.unshift(...kept);
    if (kept.length > 0) {
      this.shell.logger.warn('A run could not be stored; its results are kept and offered again', {
        runId: this.runId,
        results: kept.length,
        error: messageOf(error),
      });
    }
    const delayMs = Math.min(STORE_RETRY_MS.first * 2 ** (failures - 1), STORE_RETRY_MS.longest);
    await new Promise<void>((resolve) => {
      this.shell.clock.schedule(this.shell.clock.now() + delayMs, resolve);
    });
  }
}

/** Somebody else started the run under the same idempotency key. */
export class StartConflict extends Error {}

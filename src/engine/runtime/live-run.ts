import { decide, type Decision } from '../core/decide.js';
import type { RunEvent } from '../core/event.js';
import { pending } from '../core/pending.js';
import type { PlanUnit } from '../core/plan.js';
import { nodeAt, unitAt } from '../core/plan.js';
import type { Signal } from '../core/signal.js';
import type { Execution, RunState } from '../core/state.js';
import { INITIAL_STATE } from '../core/state.js';
import { isOver, statusOf, wakeAtOf } from '../core/status.js';
import type { IdempotencyRecord, RunRow } from '../ports/run-store.js';
import type { UnitAnswer } from '../ports/unit-executor.js';
import type { Definition } from './definition.js';
import { Flight } from './flight.js';
import { loadState } from './load-state.js';
import { nextAlarm } from './next-alarm.js';
import type { RunInMemory, RunShell } from './run-shell.js';
import { StatePace } from './state-pace.js';
import { PlannedUnitRequest } from './unit-request.js';

/** Above this many events the history is left to the store. */
const MAX_HISTORY_EVENTS = 5_000;
/** How long a store that failed is left alone before results are offered to it again. */
const STORE_RETRY_MS = { first: 50, longest: 5_000 };

interface Mail {
  readonly signal: Signal;
  readonly idempotency: IdempotencyRecord | null;
  /** What nobody would send again (results of units, due timers, a recovery) is offered until it is stored. */
  readonly isKept: boolean;
  /** Set for callers that wait. */
  readonly reply: {
    readonly resolve: (changed: boolean) => void;
    readonly reject: (error: unknown) => void;
  } | null;
}

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

  private head: RunState = INITIAL_STATE;
  private readonly pace = new StatePace();
  private readonly inbox: Mail[] = [];
  private readonly flights = new Map<number, Flight>();
  /** Executions whose answer waits in the mailbox, with the attempt it is to: they are not called again. */
  private readonly answered = new Map<number, number>();
  private isPumping = false;
  /** Waits for a place among the executions of the process. */
  private isQueued = false;
  /** A write failed, and may have happened all the same. */
  private isInDoubt = false;
  /** Loading brought events of which nobody was told yet. */
  private isAhead = false;
  /** What the driver was told; undefined: nothing that counts. */
  private wakeAt: number | null | undefined = null;
  private readonly redispatch = (): void => {
    this.isQueued = false;
    this.dispatch();
    this.retireIfIdle();
  };

  constructor(
    readonly runId: string,
    readonly definition: Definition,
    private readonly shell: RunShell,
  ) {}

  get isIdle(): boolean {
    return !this.isPumping && this.inbox.length === 0 && this.flights.size === 0;
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

  /** The `uses` of what waits to be called, if nothing of it is registered in this process; else none. */
  missingUnits(): readonly string[] {
    const missing = new Set<string>();
    for (const command of pending(this.durable)) {
      if (command.type !== 'execute-unit') continue;
      const unit = this.unitOf(command.execution);
      if (this.shell.executorFor(this.definition, unit) !== null) return [];
      missing.add(unit.uses);
    }
    return [...missing];
  }

  /** Calls the units that may be called now. */
  dispatch(): void {
    const { executions } = this.durable;
    for (const [id, flight] of this.flights) {
      const execution = executions.get(id);
      if (execution !== undefined && execution.attempt === flight.attempt && this.durable.phase === 'live')
        continue;
      this.flights.delete(id);
      this.shell.admission.leave();
      flight.abort();
    }
    if (executions.size === 0 || this.shell.isClosing()) return;
    const now = this.shell.clock.now();
    for (const command of pending(this.durable)) {
      if (this.flights.size >= this.definition.plan.maxParallelUnits) return;
      if (command.type !== 'execute-unit' || this.flights.has(command.execution.id)) continue;
      if (this.answered.get(command.execution.id) === command.execution.attempt) continue;
      if (command.execution.retryAt > now) continue;
      if (!this.shell.admission.tryEnter(this.redispatch)) {
        this.isQueued = true;
        return;
      }
      this.fly(command.execution);
    }
  }

  /** Ends what is in flight without recording it: it will be called again under the same key. */
  abandon(): void {
    for (const flight of this.flights.values()) {
      flight.abort();
      this.shell.admission.leave();
    }
    this.flights.clear();
  }

  private fly(execution: Execution): void {
    const { clock } = this.shell;
    const { plan } = this.definition;
    const unit = this.unitOf(execution);
    const executor = this.shell.executorFor(this.definition, unit);
    if (executor === null) {
      this.shell.admission.leave();
      this.shell.awaitUnit(unit.uses, this.runId);
      return;
    }
    const flight = new Flight(`${this.runId}:${execution.key}`, execution.attempt);
    this.flights.set(execution.id, flight);
    const deadlineAt = clock.now() + execution.timeoutMs;
    const request = new PlannedUnitRequest(plan, this.durable, execution, unit, deadlineAt);
    flight.start(executor, request, { clock, timeoutMs: execution.timeoutMs }, (answer) => {
      this.flights.delete(execution.id);
      this.answered.set(execution.id, execution.attempt);
      this.shell.admission.leave();
      this.keep(signalOf(execution, answer, clock.now()));
    });
  }

  private unitOf({ path }: Execution): PlanUnit {
    const node = nodeAt(this.definition.plan, path);
    if (node.type !== 'unit')
      throw new Error(`The ${node.type} at ${node.path} is no unit: the log is corrupt.`);
    return unitAt(this.definition.plan, node);
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
    if (this.isIdle && !this.isQueued) this.shell.retire(this);
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
      this.settleAnswers(batch);
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
        error: error instanceof Error ? error.message : String(error),
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

  /** What was decided upon needs no guarding any more: a call for a new attempt is a call of its own. */
  private settleAnswers(batch: readonly Mail[]): void {
    for (const { signal } of batch) {
      if (signal.type !== 'unit-finished' && signal.type !== 'unit-attempt-failed') continue;
      if (this.answered.get(signal.executionId) === signal.attempt) this.answered.delete(signal.executionId);
    }
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
    this.dispatch();
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
        error: error instanceof Error ? error.message : String(error),
      });
    }
    const delayMs = Math.min(STORE_RETRY_MS.first * 2 ** (failures - 1), STORE_RETRY_MS.longest);
    await new Promise<void>((resolve) => {
      this.shell.clock.schedule(this.shell.clock.now() + delayMs, resolve);
    });
  }
}

/** The same key twice in one batch is one request, and its repetition. */
function withoutRepeats(batch: readonly Mail[]): readonly Mail[] {
  const keys = new Set<string>();
  return batch.filter(({ idempotency, reply }) => {
    if (idempotency === null) return true;
    const name = `${idempotency.scope}\n${idempotency.key}`;
    if (!keys.has(name)) return keys.add(name);
    reply?.resolve(false);
    return false;
  });
}

/** Somebody else started the run under the same idempotency key. */
export class StartConflict extends Error {}

function signalOf(execution: Execution, answer: UnitAnswer, at: number): Signal {
  const { id: executionId, attempt } = execution;
  if (answer.kind === 'finished') {
    const { output, patch, usage, metadata } = answer;
    return { type: 'unit-finished', at, executionId, attempt, output, patch, usage, metadata };
  }
  const { error, retryable, outcome, retryAfterMs } = answer;
  return { type: 'unit-attempt-failed', at, executionId, attempt, error, retryable, outcome, retryAfterMs };
}

function rowOf(state: RunState): RunRow {
  return {
    runId: state.runId,
    workflowId: state.workflowId,
    definitionHash: state.definitionHash,
    status: statusOf(state),
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    endedAt: isOver(state) ? state.updatedAt : null,
    openExecutions: state.phase === 'live' ? state.executions.count(({ held }) => !held) : 0,
    wakeAt: wakeAtOf(state),
  };
}

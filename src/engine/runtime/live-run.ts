import { decide } from '../core/decide.js';
import type { RunEvent } from '../core/event.js';
import { pending } from '../core/pending.js';
import { nodeAt, unitAt } from '../core/plan.js';
import { ROOT_SCOPE } from '../core/scope.js';
import type { Signal } from '../core/signal.js';
import { encodeState } from '../core/state-codec.js';
import type { Execution, RunState } from '../core/state.js';
import { INITIAL_STATE, STATE_VERSION } from '../core/state.js';
import { isOver, statusOf, wakeAtOf } from '../core/status.js';
import type { IdempotencyRecord, RunRow, StoredState } from '../ports/run-store.js';
import type { UnitAnswer } from '../ports/unit-executor.js';
import type { Definition } from './definition.js';
import { Flight } from './flight.js';
import { loadState } from './load-state.js';
import type { RunInMemory, RunShell } from './run-shell.js';
import { PlannedUnitRequest } from './unit-request.js';

/** Above this many events the history is left to the store. */
const MAX_HISTORY_EVENTS = 5_000;
/** A full state is stored when the log since the last one is this much longer than the state itself. */
const STATE_EVERY_EVENTS = 256;
/** How long a store that failed is left alone before results are offered to it again. */
const STORE_RETRY_MS = { first: 50, longest: 5_000 };

interface Mail {
  readonly signal: Signal;
  readonly idempotency: IdempotencyRecord | null;
  /** Set for callers that wait; results of units have nobody who waits, and are kept until they are stored. */
  readonly reply: {
    readonly resolve: (changed: boolean) => void;
    readonly reject: (error: unknown) => void;
  } | null;
}

/**
 * The mailbox of one live run.
 *
 * 1. Signals are decided one after another, on `head`; what they cause is appended in order, many per write.
 * 2. Commands, answers and wake-ups are released only when the append that holds their events is durable.
 * 3. On a conflict the head is loaded anew and the same signals are decided again.
 * 4. When the store fails the head is dropped; whoever waits is told, results of units are kept and offered
 *    again: a unit is never called again because a disk was full.
 * 5. A run with nothing in flight and an empty mailbox leaves memory.
 */
export class LiveRun implements RunInMemory {
  durable: RunState = INITIAL_STATE;
  history: RunEvent[] | null = [];

  private head: RunState = INITIAL_STATE;
  private storedStateSeq = 0;
  private readonly inbox: Mail[] = [];
  private readonly flights = new Map<number, Flight>();
  private isPumping = false;
  private wakeAt: number | null = null;
  private readonly redispatch = (): void => this.dispatch();

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
    this.storedStateSeq = loaded.storedSeq;
    this.history = loaded.storedSeq === 0 ? [...loaded.events] : null;
    this.wakeAt = loaded.row.wakeAt;
    return true;
  }

  /** Resolves when what the signal caused is durable: true when it changed something. */
  send(signal: Signal, idempotency: IdempotencyRecord | null = null): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.post({ signal, idempotency, reply: { resolve, reject } });
    });
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
      if (command.execution.retryAt > now) continue;
      if (!this.shell.admission.tryEnter(this.redispatch)) return;
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
    const node = nodeAt(plan, execution.path);
    if (node.type !== 'unit')
      throw new Error(`The ${node.type} at ${node.path} is no unit: the log is corrupt.`);
    const unit = unitAt(plan, node);
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
      this.shell.admission.leave();
      this.post({ signal: signalOf(execution, answer, clock.now()), idempotency: null, reply: null });
    });
  }

  private post(mail: Mail): void {
    this.inbox.push(mail);
    if (!this.isPumping) void this.pump();
  }

  private async pump(): Promise<void> {
    this.isPumping = true;
    let failures = 0;
    while (this.inbox.length > 0) {
      const otherWork = this.shell.fairness.turn();
      if (otherWork !== null) await otherWork;
      const batch = this.inbox.splice(0);
      try {
        await this.process(batch);
        failures = 0;
      } catch (error) {
        failures++;
        await this.recoverFromStore(batch, error, failures);
      }
    }
    this.isPumping = false;
    if (this.isIdle) this.shell.retire(this);
  }

  /** Decides and appends a batch, again if somebody else appended first. */
  private async process(batch: readonly Mail[]): Promise<void> {
    for (;;) {
      const events: RunEvent[] = [];
      const changed: boolean[] = [];
      const from = this.head;
      let more = false;
      for (const mail of batch) {
        const decision = decide(this.definition.plan, this.head, mail.signal);
        for (const event of decision.events) events.push(event);
        changed.push(decision.events.length > 0);
        // The alarm that brought this signal is spent: whatever is still to come needs a new one.
        if (mail.signal.type === 'timer-due') this.wakeAt = null;
        this.head = decision.state;
        more ||= decision.more;
      }
      if (events.length > 0 && !(await this.append(from, events, batch, changed))) {
        if (from.seq === 0) {
          for (const { reply } of batch) reply?.reject(new StartConflict());
          this.head = this.durable;
          return;
        }
        if (!(await this.load())) throw new Error(`The log of the run ${this.runId} is gone.`);
        continue;
      }
      if (more)
        this.inbox.push({
          signal: { type: 'continue', at: this.shell.clock.now() },
          idempotency: null,
          reply: null,
        });
      this.release(events);
      batch.forEach((mail, index) => mail.reply?.resolve(changed[index] ?? false));
      return;
    }
  }

  private async append(
    from: RunState,
    events: readonly RunEvent[],
    batch: readonly Mail[],
    changed: readonly boolean[],
  ): Promise<boolean> {
    const { head } = this;
    const result = await this.shell.store.append({
      runId: this.runId,
      expectedSeq: from.seq,
      events,
      row: rowOf(head),
      storedState: this.stateToStore(head),
      idempotency: batch.flatMap(({ idempotency }, index) =>
        idempotency !== null && changed[index] === true ? [idempotency] : [],
      ),
    });
    return result === 'appended';
  }

  private stateToStore(state: RunState): StoredState | null {
    const sizeInEvents = 2 * state.scopes.size + (state.scopes.get(ROOT_SCOPE)?.writes.size ?? 0);
    if (state.seq - this.storedStateSeq < STATE_EVERY_EVENTS + 2 * sizeInEvents) return null;
    this.storedStateSeq = state.seq;
    return { seq: state.seq, stateVersion: STATE_VERSION, state: encodeState(state) };
  }

  /** What is durable now may be seen and acted upon. */
  private release(events: readonly RunEvent[]): void {
    this.durable = this.head;
    if (events.length > 0) this.remember(events);
    const wakeAt = wakeAtOf(this.durable);
    if (wakeAt !== this.wakeAt) {
      this.wakeAt = wakeAt;
      this.shell.driver.wake({ runId: this.runId, at: wakeAt });
    }
    this.dispatch();
    if (events.length > 0) this.shell.changed(this);
  }

  private remember(events: readonly RunEvent[]): void {
    if (this.history === null) return;
    if (this.history.length + events.length > MAX_HISTORY_EVENTS) this.history = null;
    else for (const event of events) this.history.push(event);
  }

  /** Tells who waits, keeps the results, and loads what the store has once it answers again. */
  private async recoverFromStore(batch: readonly Mail[], error: unknown, failures: number): Promise<void> {
    for (const { reply } of batch) reply?.reject(error);
    const results = batch.filter(({ reply }) => reply === null);
    this.head = this.durable;
    if (results.length === 0 && this.durable.seq === 0) return;
    this.shell.logger.warn('A run could not be stored; its results are kept and offered again', {
      runId: this.runId,
      results: results.length,
      error: error instanceof Error ? error.message : String(error),
    });
    this.inbox.unshift(...results);
    const delayMs = Math.min(STORE_RETRY_MS.first * 2 ** (failures - 1), STORE_RETRY_MS.longest);
    await new Promise<void>((resolve) => {
      this.shell.clock.schedule(this.shell.clock.now() + delayMs, resolve);
    });
    await this.load().catch(() => false);
  }
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
    openExecutions: state.phase === 'live' ? state.executions.size : 0,
    wakeAt: wakeAtOf(state),
  };
}

import { messageOf } from '../../../errors/flowgate-error.js';
import type { Usage } from '../../core/log/event-base.js';
import type { RunEvent } from '../../core/log/event.js';
import { pending, pendingAfter, pendingExecution, wholeOf, type Command } from '../../core/pending.js';
import { runsWhateverEnds, unitOf, type PlanUnit } from '../../core/plan/plan.js';
import type { Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import { isEnding } from '../../core/state/status.js';
import { executionOf, type Execution } from '../../core/waits/execution.js';
import { openRequestedPause } from '../../core/waits/pause.js';
import type { UnitOutcome } from '../../ports/unit-executor.js';
import type { RunInMemory, RunShell } from '../run-shell.js';
import { BudgetKeeper } from './budget.js';
import { CallQueue } from './call-queue.js';
import { ChildrenToBegin } from './children-to-begin.js';
import { QueuedCallsOfRun, type CalledEndpoint } from './endpoints/queued-calls-of-run.js';
import type { AttemptEvents, AttemptInFlight } from './attempts/attempt-in-flight.js';
import type { Call } from './attempts/call-launcher.js';
import { AttemptsInFlight } from './attempts/attempts-in-flight.js';
import { newAttempt } from './attempts/new-attempt.js';
import { outcomeSignal } from './attempts/outcome-signal.js';
import type { RunShare } from './shares.js';

/** Notifications of the dispatcher to its run. */
export interface DispatchEvents {
  /** A signal, mostly the outcome of a unit, that has to be decided and must never be lost. */
  onOutcome(signal: Signal): void;
  /** A slot among the executions of the process came free, and was used or not. */
  onSlot(): void;
}

/** How far an execution is: called, completed but not decided, refused by a budget, or in a queue. */
export type DispatchStage = 'in-flight' | 'answered' | 'refused' | 'endpoint-queue' | 'queued';

/**
 * Calls the units of one run, as its durable state says.
 *
 * 1. An execution is in flight at most once, and not again while its outcome waits to be decided.
 * 2. It has exactly the executions that `pending` of the state requires (`stages`): `pendingAfter` alone says what to take
 *    up and what to release. What is queued is checked again when it is next.
 * 3. At most `maxParallelUnits` of the run are in flight, and as many as `Admission` admits.
 * 4. A turn costs what it opened and closed, however much else is open.
 * 5. Nothing is called that may take the run beyond its budget (`BudgetKeeper`). A call that its endpoint defers
 *    (`endpoints/`) waits there, and blocks no other call.
 * 6. The memory that a large outcome holds is released once the decision on it is stored, or the outcome is dropped.
 */
export class Dispatcher implements AttemptEvents {
  private readonly inFlight = new AttemptsInFlight();
  /** Attempts whose outcome waits in the mailbox: their executions are not called again. */
  private readonly completed = new AttemptsInFlight();
  /** How many completed synchronously since the last turn: they count as in flight until the next. */
  private completedAtOnce = 0;
  private readonly queue = new CallQueue();
  private readonly budget: BudgetKeeper;
  private readonly children: ChildrenToBegin;
  /** The queue has to be rebuilt from all that is pending. */
  private isStale = true;
  /** The run waits for a slot among the executions of the process. */
  private isWaiting = false;
  /** The run's share of those slots. */
  private ownShare: RunShare | null = null;
  /** Seq of the state for which `in-flight-ended` was sent. */
  private woundDownAt = 0;
  /** Calls to endpoints with a circuit breaker or rate limit; null: there were none so far, as in nearly every run. */
  private queuedCalls: QueuedCallsOfRun | null = null;
  /** Calls are being made: one that completes synchronously may settle the run before the next one is made. */
  private isCalling = false;
  /** Executions up to this one may have been called by a process that died; -1: none may. */
  private calledUpTo = -1;
  /** Marked already, and to be called once that is kept for certain. */
  private readonly leftTo = new Map<number, Call>();
  /** The run left this process: a slot that comes free is not for it any more. */
  private isAbandoned = false;
  constructor(
    private readonly run: RunInMemory,
    private readonly shell: RunShell,
    private readonly events: DispatchEvents,
  ) {
    this.budget = new BudgetKeeper(run);
    this.children = new ChildrenToBegin(run, shell.children, this.budget, this.queue);
  }

  /** Whether something is in flight, or just being called. */
  get hasInFlight(): boolean {
    return this.inFlight.size > 0 || this.isCalling;
  }

  /** How many attempts are under way. */
  get inFlightCount(): number {
    return this.inFlight.size;
  }

  /** Whether nothing more may be called now: others are next, or as many are in flight as may be. */
  get isFull(): boolean {
    return this.queue.peek() !== undefined || this.inFlight.size >= this.run.definition.plan.maxParallelUnits;
  }

  /** Whether the execution is in flight, or its outcome waits to be decided. */
  isCalled(executionId: number): boolean {
    return this.inFlight.get(executionId) !== undefined || this.completed.get(executionId) !== undefined;
  }

  /** The executions that were called and whose outcome, if there is one, is not stored yet. */
  get underWay(): readonly number[] {
    return [...this.inFlight.all(), ...this.completed.all()].map(({ executionId }) => executionId);
  }

  /** Whether it waits for a slot of the process, or in the queue of an endpoint. */
  get isWaitingForSlot(): boolean {
    return this.isWaiting || (this.queuedCalls !== null && this.queuedCalls.waiting > 0);
  }

  /** All executions that it has, each at its furthest stage; some that are queued may not be pending any more. */
  stages(): ReadonlyMap<number, DispatchStage> {
    const stages = new Map<number, DispatchStage>();
    for (const id of this.queue.ids()) stages.set(id, 'queued');
    for (const id of this.queuedCalls?.waitingIds() ?? []) stages.set(id, 'endpoint-queue');
    for (const id of this.budget.refusedIds()) stages.set(id, 'refused');
    for (const { executionId } of this.completed.all()) stages.set(executionId, 'answered');
    for (const { executionId } of this.inFlight.all()) stages.set(executionId, 'in-flight');
    return stages;
  }

  /** Whether a process that owned the run may have died, with nothing appended to it since. */
  get followsDeath(): boolean {
    return this.run.durable.seq <= this.calledUpTo;
  }

  /** The state that was loaded may be as a process left it that died: whatever is open in it may have been called there. */
  takeFromDead(): void {
    this.calledUpTo = this.run.durable.seq;
  }

  /** What was to be executed in a turn is called here instead, and only once its mark, which was requested, is kept. */
  isLeftTo(executionId: number, call: Call): void {
    this.leftTo.set(executionId, call);
  }

  /** The state was loaded: what is to be called follows from it, not from the events of a turn. */
  startOver(): void {
    this.isStale = true;
  }

  /** The `uses` of all units to be called, if none of them is registered in this process; otherwise empty. */
  missingUnits(): readonly string[] {
    const missing = new Set<string>();
    for (const command of pending(this.run.durable)) {
      if (command.type === 'see-to-child') return [];
      if (command.type !== 'execute-unit') continue;
      const unit = unitOf(this.run.definition.plan, command.execution.path);
      if (this.shell.units.executorFor(this.run.definition, unit) !== null) return [];
      missing.add(unit.uses);
    }
    return [...missing];
  }

  /** Calls the units that may be called now, after a turn with these events. */
  dispatch(turn: readonly RunEvent[], now: number): void {
    this.completedAtOnce = 0;
    const { durable } = this.run;
    const change = this.isStale ? wholeOf(durable) : pendingAfter(durable, turn);
    this.isStale = false;
    if (change.isWhole) this.queue.clear();
    if (change.mayHaveReleasedOthers) this.releaseOthers();
    for (const id of change.released) this.releaseCall(id);
    this.children.follow(turn);
    this.enqueue(change.commands, now);
    this.callWhatIsReady(now);
    this.withdrawLeft((id) => pendingExecution(durable, id) === undefined);
    this.windDown(now);
  }

  /** What is not called after all cannot be what the process dies of. */
  private withdrawLeft(isOver: (executionId: number) => boolean): void {
    for (const [id, call] of this.leftTo) {
      if (!isOver(id)) continue;
      this.leftTo.delete(id);
      this.shell.units.launcher.end(call);
    }
  }

  /**
   * Notifies attempts in flight that the run is being cancelled, and the run once nothing is in flight. What a `finally` calls, and
   * what undoes a call, is not to end early.
   */
  private windDown(now: number): void {
    const { durable, definition } = this.run;
    if (!isWindingDown(durable)) return;
    for (const attemptInFlight of isEnding(durable) ? this.inFlight.all() : []) {
      const path = executionOf(durable, attemptInFlight.executionId)?.path;
      if (path === undefined || !runsWhateverEnds(definition.plan, path)) attemptInFlight.notifyCancelling();
    }
    if (this.inFlight.size > 0 || this.completed.size > 0 || this.woundDownAt === durable.seq) return;
    // Once for each state of the run: the signal may still wait in the mailbox.
    this.woundDownAt = durable.seq;
    this.events.onOutcome({ type: 'in-flight-ended', at: now });
  }

  /** Ends what is in flight without recording it: it will be called again under the same key. */
  abandon(): void {
    this.isAbandoned = true;
    this.queue.clear();
    this.withdrawLeft(() => true);
    this.queuedCalls?.withdrawAll();
    for (const attemptInFlight of this.inFlight.all()) this.complete(attemptInFlight).abort(true);
    for (const attemptInFlight of this.completed.all()) attemptInFlight.release();
  }

  /** The outcome, or the lack of budget, could not be decided; an outcome is kept for an unknown time. */
  suspend(executionId: number): void {
    this.completed.get(executionId)?.release();
    this.budget.release(executionId);
    this.readmit(executionId);
  }

  /** These signals were decided, so their executions are guarded no longer: a new attempt is a call of its own. */
  settle(signals: Iterable<Signal>): void {
    for (const signal of signals) {
      // An outcome that can never be stored is not kept: once its execution is released it is called again.
      if (signal.type === 'undecided' && signal.executionId !== null) this.settled(signal.executionId);
      if (signal.type === 'budget-exceeded') {
        this.children.decided(signal.executionId);
        this.readmit(signal.executionId);
      }
      if (signal.type !== 'unit-finished' && signal.type !== 'unit-attempt-failed') continue;
      if (this.completed.get(signal.executionId)?.attempt === signal.attempt)
        this.settled(signal.executionId);
    }
  }

  private settled(executionId: number): void {
    this.forget(executionId);
    this.readmit(executionId);
    // An attempt that is in flight is not settled.
    if (this.inFlight.get(executionId) === undefined) this.budget.release(executionId);
  }

  /** The run decided on the refusal: the execution fails, is frozen, or, if the budget was raised, is next again. */
  private readmit(executionId: number): void {
    if (this.budget.readmit(executionId)) this.queue.add({ id: executionId, retryAt: 0 }, 0);
  }

  private forget(executionId: number): void {
    this.completed.get(executionId)?.release();
    this.completed.delete(executionId);
  }

  /**
   * As `dispatch`, but what has to be called now waits for a later turn. What is not to be called any more is aborted at
   * once.
   */
  hold(turn: readonly RunEvent[]): void {
    this.completedAtOnce = 0;
    const change = this.isStale ? wholeOf(this.run.durable) : pendingAfter(this.run.durable, turn);
    if (change.mayHaveReleasedOthers) this.releaseOthers();
    for (const id of change.released) this.releaseCall(id);
    this.children.follow(turn);
    this.isStale = true;
  }

  /** Handles the types of command that call something; what waits for people or for time is nothing to call. */
  private enqueue(commands: readonly Command[], now: number): void {
    const called: Called = { queue: this.queue, children: this.children };
    for (const command of commands) (CALLED[command.type] as CallOf | null)?.(called, command, now);
  }

  /** Checks all that is in flight or queued at an endpoint; what is in its own queue is checked when it is next. */
  private releaseOthers(): void {
    const { durable } = this.run;
    for (const { executionId: id, attempt } of this.inFlight.all()) {
      if (pendingExecution(durable, id)?.attempt !== attempt) this.releaseCall(id);
    }
    this.queuedCalls?.withdrawUnless((id) => pendingExecution(durable, id) !== undefined);
    this.budget.releaseUnless(
      (id) =>
        this.inFlight.get(id) !== undefined ||
        this.completed.get(id) !== undefined ||
        this.children.isMoving(id),
    );
  }

  /** The execution is not to be called any more, or another attempt of it is. */
  private releaseCall(id: number): void {
    const attemptInFlight = this.inFlight.get(id);
    if (attemptInFlight !== undefined) {
      this.complete(attemptInFlight).abort(this.isTakenUp(attemptInFlight));
      this.budget.release(id);
    }
    this.queuedCalls?.withdraw(id);
  }

  private redispatch(): void {
    this.isWaiting = false;
    this.proceed();
  }

  private proceed(): void {
    const wasCalling = this.isCalling;
    this.isCalling = true;
    try {
      if (this.shell.ownership.owns(this.run.runId)) this.callWhatIsReady(this.shell.clock.now());
    } finally {
      this.isCalling = wasCalling;
    }
    this.events.onSlot();
  }

  private callWhatIsReady(now: number): void {
    if (this.isAbandoned || this.shell.units.isClosing() || isWindingDown(this.run.durable)) return;
    const { admission } = this.shell.units;
    this.queue.promote(now);
    for (let id = this.queue.peek(); id !== undefined; id = this.queue.peek()) {
      const child = this.children.toBegin(id);
      if (child !== undefined) {
        if (!this.children.tryToBegin(child)) return;
        this.queue.take();
        continue;
      }
      const execution = this.callable(id, now);
      let reserved: Usage | null = null;
      if (execution !== null) {
        const underWay = this.inFlight.size + this.completedAtOnce;
        if (underWay >= this.run.definition.plan.maxParallelUnits) return;
        if (this.isDeferred(execution)) {
          this.queue.take();
          continue;
        }
        const checked = this.budget.check(execution);
        if (checked === 'waits') return;
        if (checked === 'refused') {
          this.queue.take();
          this.queuedCalls?.withdraw(id);
          this.refuse(id);
          continue;
        }
        reserved = checked;
        if (!admission.tryEnter(this.share())) {
          this.isWaiting = true;
          return;
        }
      }
      this.queue.take();
      if (execution === null) this.queuedCalls?.withdraw(id);
      else this.tryToDispatch(execution, reserved);
    }
  }

  /** Whether its endpoint may not be called now: then it is queued there. */
  private isDeferred(execution: Execution): boolean {
    const { definition } = this.run;
    const unit = definition.plan.units.get(execution.unitId);
    if (unit === undefined || (unit.circuitBreaker === null && unit.rateLimit === null)) return false;
    const { units } = this.shell;
    if (!units.hasEndpoint(unit)) return false;
    const { namespace, plan } = definition;
    this.queuedCalls ??= new QueuedCallsOfRun(units.endpoints, namespace, plan.workflowId, (id) => {
      this.queue.addFirst(id);
      this.proceed();
    });
    try {
      return !this.queuedCalls.mayCall(execution.id, () => this.calledBy(unit, execution));
    } catch {
      // The settings cannot be opened: `prepared` will fail, too, and report it instead of calling.
      return false;
    }
  }

  private calledBy(unit: PlanUnit, execution: Execution): CalledEndpoint {
    const { definition } = this.run;
    const { units, settings } = this.shell;
    const { circuitBreaker, rateLimit } = unit;
    const timeoutMs = units.timeoutOf(definition, unit, execution);
    return {
      endpoint: units.endpointOf(definition, unit, settings.opened(execution)),
      policy: {
        circuitBreaker: circuitBreaker === null ? null : { ...circuitBreaker, timeoutMs },
        rateLimit,
      },
    };
  }

  private refuse(executionId: number): void {
    this.budget.refuse(executionId);
    this.events.onOutcome({ type: 'budget-exceeded', at: this.shell.clock.now(), executionId });
  }

  /** Null for an execution that was closed, frozen, called or refused since it was queued. */
  private callable(id: number, now: number): Execution | null {
    const execution = pendingExecution(this.run.durable, id);
    if (execution === undefined) return null;
    if (this.inFlight.get(id) !== undefined || this.budget.isRefused(id)) return null;
    if (this.completed.get(id)?.attempt === execution.attempt) return null;
    if (execution.retryAt <= now) return execution;
    // A later attempt than the one that was queued: the wake-up of its retry will find it here.
    this.queue.add(execution, now);
    return null;
  }

  /** An execution that a pause freezes or suspends is called again as the same attempt when the run continues. */
  private isTakenUp({ executionId, attempt }: AttemptInFlight): boolean {
    const { durable } = this.run;
    return durable.phase === 'live' && executionOf(durable, executionId)?.attempt === attempt;
  }

  /** A unit that cannot be looked up is a fault of the plan, or ours: the run is paused instead of retrying for ever. */
  private tryToDispatch(execution: Execution, reserved: Usage | null): void {
    let launch: (() => void) | null = null;
    try {
      launch = this.prepared(execution);
    } catch (error) {
      this.events.onOutcome({
        type: 'undecided',
        at: this.shell.clock.now(),
        executionId: execution.id,
        error: messageOf(error),
      });
    }
    if (launch === null) {
      this.queuedCalls?.withdraw(execution.id);
      return this.shell.units.admission.leave(this.share());
    }
    this.queuedCalls?.begin(execution.id);
    this.budget.reserve(execution.id, reserved);
    launch();
    // Where nothing was being decided, what completed at once has been decided already.
    if (this.completed.get(execution.id) !== undefined) this.completedAtOnce += 1;
  }

  /** A function that calls it; null when its unit is not registered here, and the run waits for it. */
  private prepared(execution: Execution): (() => void) | null {
    const { units } = this.shell;
    const { plan } = this.run.definition;
    const unit = unitOf(plan, execution.path);
    const executor = units.executorFor(this.run.definition, unit);
    if (executor === null) {
      units.awaitUnit(unit.uses, this.run.runId);
      return null;
    }
    const { attempt, request } = newAttempt(this.shell, this.run.definition, this.run.durable, {
      unit,
      execution,
      events: this,
    });
    return () => {
      this.inFlight.set(attempt);
      const isLeft = this.leftTo.delete(execution.id);
      const isMadeAgain = isLeft || execution.id <= this.calledUpTo || execution.recoveries > 0;
      const begin = (): void => {
        if (this.shell.ownership.owns(this.run.runId)) attempt.start(executor, request, units.deadlines);
        else this.giveUp(attempt);
      };
      units.launcher.launch(attempt, begin, isMadeAgain);
    };
  }

  /** The run became another process's while the call was being marked: it is called there. */
  private giveUp(attempt: AttemptInFlight): void {
    if (this.inFlight.get(attempt.executionId) !== attempt) return;
    this.complete(attempt).abort(true);
    this.isStale = true;
    this.events.onSlot();
  }

  onOutcome(attemptInFlight: AttemptInFlight, unitOutcome: UnitOutcome): void {
    // First: `complete` gives back a slot, which may go to this run again.
    this.forget(attemptInFlight.executionId);
    this.completed.set(attemptInFlight);
    this.complete(attemptInFlight, unitOutcome);
    this.events.onOutcome(outcomeSignal(attemptInFlight, unitOutcome, this.shell.clock.now()));
  }

  /** `unitOutcome` null: the attempt is aborted. */
  private complete(
    attemptInFlight: AttemptInFlight,
    unitOutcome: UnitOutcome | null = null,
  ): AttemptInFlight {
    this.inFlight.delete(attemptInFlight.executionId);
    this.shell.units.launcher.end(attemptInFlight);
    this.shell.units.admission.leave(this.share());
    // A failure after the notification to stop says nothing about the endpoint.
    this.queuedCalls?.end(
      attemptInFlight.executionId,
      attemptInFlight.isNotified && unitOutcome?.kind === 'failed' ? null : unitOutcome,
    );
    return attemptInFlight;
  }

  private share(): RunShare {
    const { namespace, plan } = this.run.definition;
    const { owner = null } = this.run.durable;
    return (this.ownShare ??= this.shell.units.admission.shareOf(
      { namespace, owner, workflowId: plan.workflowId },
      () => this.redispatch(),
    ));
  }
}

/** Whether nothing new is called, because the run is ending or pausing. */
export function isWindingDown(state: RunState): boolean {
  return state.phase === 'live' && (isEnding(state) || openRequestedPause(state) !== undefined);
}

/** The parts of the dispatcher that commands are handed to. */
interface Called {
  readonly queue: Pick<CallQueue, 'add'>;
  readonly children: Pick<ChildrenToBegin, 'add'>;
}

type CallOf = (called: Called, command: Command, now: number) => void;

/** What is called for a command; null: what waits for people or for time is nothing to call. */
const CALLED: {
  readonly [T in Command['type']]:
    ((called: Called, command: Extract<Command, { readonly type: T }>, now: number) => void) | null;
} = {
  'execute-unit': ({ queue }, { execution }, now) => queue.add(execution, now),
  'see-to-child': ({ children }, { child }) => children.add(child),
  'await-decision': null,
  'await-timer': null,
  'await-resume': null,
};

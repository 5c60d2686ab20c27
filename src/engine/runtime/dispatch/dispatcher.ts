import { messageOf } from '../../../errors/flowgate-error.js';
import type { Usage } from '../../core/log/event-base.js';
import type { RunEvent } from '../../core/log/event.js';
import { pending, pendingAfter, pendingExecution, wholeOf, type Command } from '../../core/pending.js';
import { unitOf, type PlanUnit } from '../../core/plan/plan.js';
import type { Signal } from '../../core/signal.js';
import type { RunState } from '../../core/state/state.js';
import { isEnding } from '../../core/state/status.js';
import { executionOf, type Execution } from '../../core/waits/execution.js';
import { openRequestedPause } from '../../core/waits/pause.js';
import type { UnitAnswer } from '../../ports/unit-executor.js';
import type { RunInMemory, RunShell } from '../mailbox/run-shell.js';
import { BudgetKeeper } from './budget.js';
import { CallQueue } from './call-queue.js';
import { ChildrenToBegin } from './children-to-begin.js';
import { RunVisits, type CalledEndpoint } from './endpoints/run-visits.js';
import { Flight, type FlightEvents } from './flight.js';
import { Flights } from './flights.js';
import type { RunShare } from './shares.js';
import { PlannedUnitRequest } from './unit-request.js';

/** What the dispatcher tells its run. */
export interface DispatchEvents {
  /** A unit answered: to be decided, and never lost. */
  onAnswer(signal: Signal): void;
  /** A place among the executions of the process came free, and was used or not. */
  onPlace(): void;
}

/** How the dispatcher has an execution: called, answered and not decided upon, refused by a budget, in a queue. */
export type Holding = 'in-flight' | 'answered' | 'refused' | 'endpoint-queue' | 'queued';

/**
 * Calls the units of one run, as its durable state says.
 *
 * 1. An execution is in flight at most once, and not again while its answer waits to be decided.
 * 2. It has exactly what `pending` of the state asks for (`held`): what it takes up and what it releases are both said by
 *    `pendingAfter`, never by a rule of its own. What is queued is looked at when it is its turn.
 * 3. At most `maxParallelUnits` of the run, and as many as `Admission` lets in.
 * 4. A turn costs what it opened and closed, however much else is open.
 * 5. None that may take the run beyond its budget (`BudgetKeeper`). A call that its endpoint puts off (`endpoints/`) waits
 *    there: it keeps no other from being called.
 * 6. What an answer holds of the memory for large ones is let go once it is decided upon, and that is stored, or dropped.
 */
export class Dispatcher implements FlightEvents {
  private readonly flights = new Flights();
  /** Executions whose answer waits in the mailbox, with the flight that brought it: they are not called again. */
  private readonly answered = new Flights();
  /** How many answered at once since the last turn: they count as in flight until the next. */
  private answeredAtOnce = 0;
  private readonly queue = new CallQueue();
  private readonly budget: BudgetKeeper;
  private readonly children: ChildrenToBegin;
  /** The queue has to be filled anew, from all that is open. */
  private isStale = true;
  /** Waits for a place among the executions of the process. */
  private isWaiting = false;
  /** Its places among them. */
  private ownShare: RunShare | null = null;
  /** Seq of the state of which it was said that nothing is in flight. */
  private woundDownAt = 0;
  /** Its calls to endpoints that are called with care; null: there was none so far, as in nearly every run. */
  private visits: RunVisits | null = null;
  /** The run left this process: a place that comes free is not for it any more. */
  private isAbandoned = false;
  constructor(
    private readonly run: RunInMemory,
    private readonly shell: RunShell,
    private readonly events: DispatchEvents,
  ) {
    this.budget = new BudgetKeeper(run);
    this.children = new ChildrenToBegin(run, shell.children, this.budget, this.queue);
  }

  get hasFlights(): boolean {
    return this.flights.size > 0;
  }

  /** How many attempts are under way. */
  get flying(): number {
    return this.flights.size;
  }

  /** The executions that were called and whose answer, if there is one, is not stored yet. */
  get underWay(): readonly number[] {
    return [...this.flights.all(), ...this.answered.all()].map(({ executionId }) => executionId);
  }

  /** Among the executions of the process, or in the line of an endpoint. */
  get isWaitingForPlace(): boolean {
    return this.isWaiting || (this.visits !== null && this.visits.waiting > 0);
  }

  /** All that it has, each in the state that it is furthest in; some of what is queued may not be pending any more. */
  held(): ReadonlyMap<number, Holding> {
    const held = new Map<number, Holding>();
    for (const id of this.queue.ids()) held.set(id, 'queued');
    for (const id of this.visits?.waitingIds() ?? []) held.set(id, 'endpoint-queue');
    for (const id of this.budget.refusedIds()) held.set(id, 'refused');
    for (const { executionId } of this.answered.all()) held.set(executionId, 'answered');
    for (const { executionId } of this.flights.all()) held.set(executionId, 'in-flight');
    return held;
  }

  /** The state was loaded: what is to be called is found in it, and not in the events of a turn. */
  startOver(): void {
    this.isStale = true;
  }

  /** The `uses` of what waits to be called, if nothing of it is registered in this process; else none. */
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
    this.answeredAtOnce = 0;
    const { durable } = this.run;
    const change = this.isStale ? wholeOf(durable) : pendingAfter(durable, turn);
    this.isStale = false;
    if (change.isWhole) this.queue.clear();
    if (change.mayHaveReleasedOthers) this.releaseOthers();
    for (const id of change.released) this.releaseCall(id);
    this.children.follow(turn);
    this.enqueue(change.commands, now);
    this.callWhatIsReady(now);
    this.windDown(now);
  }

  /** Tells what is in flight that the run is being cancelled, and the run once nothing is. */
  private windDown(now: number): void {
    const { durable } = this.run;
    if (!isWindingDown(durable)) return;
    if (isEnding(durable)) for (const flight of this.flights.all()) flight.tell();
    if (this.flights.size > 0 || this.answered.size > 0 || this.woundDownAt === durable.seq) return;
    // Once for each state of the run: what it says of it may wait in the mailbox.
    this.woundDownAt = durable.seq;
    this.events.onAnswer({ type: 'in-flight-ended', at: now });
  }

  /** Ends what is in flight without recording it: it will be called again under the same key. */
  abandon(): void {
    this.isAbandoned = true;
    this.queue.clear();
    this.visits?.withdrawAll();
    for (const flight of this.flights.all()) this.land(flight).abort(true);
    for (const flight of this.answered.all()) flight.release();
  }

  /** No decision could be made on the answer, which is kept for who knows how long, or on there being no budget for it. */
  setAside(executionId: number): void {
    this.answered.get(executionId)?.release();
    this.budget.release(executionId);
    this.readmit(executionId);
  }

  /** What was decided upon needs no guarding any more: a call for a new attempt is a call of its own. */
  settle(signals: Iterable<Signal>): void {
    for (const signal of signals) {
      // An answer that was put aside for good is not kept: let go, its execution is called again.
      if (signal.type === 'undecided' && signal.executionId !== null) this.settled(signal.executionId);
      if (signal.type === 'budget-exceeded') {
        this.children.decided(signal.executionId);
        this.readmit(signal.executionId);
      }
      if (signal.type !== 'unit-finished' && signal.type !== 'unit-attempt-failed') continue;
      if (this.answered.get(signal.executionId)?.attempt === signal.attempt) this.settled(signal.executionId);
    }
  }

  private settled(executionId: number): void {
    this.forget(executionId);
    this.readmit(executionId);
    // Of an attempt that is in flight nothing is settled.
    if (this.flights.get(executionId) === undefined) this.budget.release(executionId);
  }

  /** The run decided that it fails, or is held, or, because it was given more meanwhile, that it is next once more. */
  private readmit(executionId: number): void {
    if (this.budget.readmit(executionId)) this.queue.add({ id: executionId, retryAt: 0 }, 0);
  }

  private forget(executionId: number): void {
    this.answered.get(executionId)?.release();
    this.answered.delete(executionId);
  }

  /** One line per type of command; what waits for people, for time or for nobody is not ours to call. */
  private enqueue(commands: readonly Command[], now: number): void {
    for (const command of commands) {
      if (command.type === 'execute-unit') this.queue.add(command.execution, now);
      else if (command.type === 'see-to-child') this.children.add(command.child);
    }
  }

  /** Of all that is in flight or in the line of an endpoint; what is queued is looked at when it is its turn. */
  private releaseOthers(): void {
    const { durable } = this.run;
    for (const { executionId: id, attempt } of this.flights.all()) {
      if (pendingExecution(durable, id)?.attempt !== attempt) this.releaseCall(id);
    }
    this.visits?.withdrawUnless((id) => pendingExecution(durable, id) !== undefined);
    this.budget.releaseUnless(
      (id) =>
        this.flights.get(id) !== undefined ||
        this.answered.get(id) !== undefined ||
        this.children.isMoving(id),
    );
  }

  /** It is not to be called, or another attempt of it. */
  private releaseCall(id: number): void {
    const flight = this.flights.get(id);
    if (flight !== undefined) {
      this.land(flight).abort(this.isTakenUp(flight));
      this.budget.release(id);
    }
    this.visits?.withdraw(id);
  }

  private redispatch(): void {
    this.isWaiting = false;
    this.goOn();
  }

  private goOn(): void {
    if (this.shell.ownership.owns(this.run.runId)) this.callWhatIsReady(this.shell.clock.now());
    this.events.onPlace();
  }

  private callWhatIsReady(now: number): void {
    if (this.isAbandoned || this.shell.units.isClosing() || isWindingDown(this.run.durable)) return;
    const { admission } = this.shell.units;
    this.queue.ripen(now);
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
        const underWay = this.flights.size + this.answeredAtOnce;
        if (underWay >= this.run.definition.plan.maxParallelUnits) return;
        if (this.isPutOff(execution)) {
          this.queue.take();
          continue;
        }
        const checked = this.budget.check(execution);
        if (checked === 'waits') return;
        if (checked === 'refused') {
          this.queue.take();
          this.visits?.withdraw(id);
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
      if (execution === null) this.visits?.withdraw(id);
      else this.tryToFly(execution, reserved);
    }
  }

  /** Whether its endpoint is not to be called now: then it waits there until it is its turn. */
  private isPutOff(execution: Execution): boolean {
    const { definition } = this.run;
    const unit = definition.plan.units.get(execution.unitId);
    if (unit === undefined || (unit.circuitBreaker === null && unit.rateLimit === null)) return false;
    const { units } = this.shell;
    if (!units.hasEndpoint(unit)) return false;
    const workflow = `${definition.namespace}\n${definition.plan.workflowId}`;
    this.visits ??= new RunVisits(units.endpoints, workflow, (id) => {
      this.queue.addFirst(id);
      this.goOn();
    });
    try {
      return !this.visits.mayCall(execution.id, () => this.calledBy(unit, execution));
    } catch {
      // Settings that cannot be opened: nothing is called, and that is said where it would be (`prepared`).
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
    this.events.onAnswer({ type: 'budget-exceeded', at: this.shell.clock.now(), executionId });
  }

  /** Null for an execution that was closed, held, called or refused since it was queued. */
  private callable(id: number, now: number): Execution | null {
    const execution = pendingExecution(this.run.durable, id);
    if (execution === undefined) return null;
    if (this.flights.get(id) !== undefined || this.budget.isRefused(id)) return null;
    if (this.answered.get(id)?.attempt === execution.attempt) return null;
    if (execution.retryAt <= now) return execution;
    // Another attempt is waited for than the one that was queued: its alarm will find it here.
    this.queue.add(execution, now);
    return null;
  }

  /** What a pause holds, or has set aside, is called again as the same attempt when the run goes on. */
  private isTakenUp({ executionId, attempt }: Flight): boolean {
    const { durable } = this.run;
    return durable.phase === 'live' && executionOf(durable, executionId)?.attempt === attempt;
  }

  /** A unit that cannot even be looked up is a fault of the plan, or ours: the run is paused, nothing is tried for ever. */
  private tryToFly(execution: Execution, reserved: Usage | null): void {
    let launch: (() => void) | null = null;
    try {
      launch = this.prepared(execution);
    } catch (error) {
      this.events.onAnswer({
        type: 'undecided',
        at: this.shell.clock.now(),
        executionId: execution.id,
        error: messageOf(error),
      });
    }
    if (launch === null) {
      this.visits?.withdraw(execution.id);
      return this.shell.units.admission.leave(this.share());
    }
    this.visits?.begin(execution.id);
    this.budget.hold(execution.id, reserved);
    launch();
    if (this.flights.get(execution.id) === undefined) this.answeredAtOnce += 1;
  }

  /** How to call it; null when its unit is not registered here: the run waits for it. */
  private prepared(execution: Execution): (() => void) | null {
    const { clock, units, settings } = this.shell;
    const { plan } = this.run.definition;
    const unit = unitOf(plan, execution.path);
    const executor = units.executorFor(this.run.definition, unit);
    if (executor === null) {
      units.awaitUnit(unit.uses, this.run.runId);
      return null;
    }
    const timeoutMs = Math.min(execution.timeoutMs, units.maxUnitMs);
    const opened = settings.opened(execution);
    const watch = units.attempts.watch(this.run.durable, this.run.definition, unit, execution);
    const flight = new Flight(this.run.runId, execution, timeoutMs, this, units.maxUnitMs, watch);
    flight.deadlineAt = clock.wallTime() + timeoutMs;
    const request = new PlannedUnitRequest(plan, this.run.durable, opened, unit, flight);
    return () => {
      this.flights.set(flight);
      units.launcher.launch(flight, () => flight.start(executor, request, units.deadlines));
    };
  }

  onAnswer(flight: Flight, answer: UnitAnswer): void {
    // First: the place that `land` gives back may be this run's own again.
    this.forget(flight.executionId);
    this.answered.set(flight);
    this.land(flight, answer);
    this.events.onAnswer(signalOf(flight, answer, this.shell.clock.now()));
  }

  /** Null: it is aborted. */
  private land(flight: Flight, answer: UnitAnswer | null = null): Flight {
    this.flights.delete(flight.executionId);
    this.shell.units.launcher.end(flight);
    this.shell.units.admission.leave(this.share());
    // What fails because it was told to stop says nothing of who was called.
    this.visits?.end(flight.executionId, flight.isTold && answer?.kind === 'failed' ? null : answer);
    return flight;
  }

  private share(): RunShare {
    const { namespace, plan } = this.run.definition;
    return (this.ownShare ??= this.shell.units.admission.shareOf(namespace, plan.workflowId, () =>
      this.redispatch(),
    ));
  }
}

/** Nothing new is called: the run comes to its end, or to a stand. */
function isWindingDown(state: RunState): boolean {
  return state.phase === 'live' && (isEnding(state) || openRequestedPause(state) !== undefined);
}

function signalOf({ executionId, attempt }: Flight, answer: UnitAnswer, at: number): Signal {
  if (answer.kind === 'finished') {
    const { output, patch, usage, metadata } = answer;
    return { type: 'unit-finished', at, executionId, attempt, output, patch, usage, metadata };
  }
  const { error, retryable, outcome, retryAfterMs } = answer;
  return { type: 'unit-attempt-failed', at, executionId, attempt, error, retryable, outcome, retryAfterMs };
}

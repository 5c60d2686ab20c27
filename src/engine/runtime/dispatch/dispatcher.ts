import { pending } from '../../core/pending.js';
import { nodeAt, unitAt, type PlanUnit } from '../../core/plan/plan.js';
import type { Signal } from '../../core/signal.js';
import type { Execution } from '../../core/state/state.js';
import type { UnitAnswer } from '../../ports/unit-executor.js';
import { Flight } from './flight.js';
import type { RunInMemory, RunShell } from '../mailbox/run-shell.js';
import { PlannedUnitRequest } from './unit-request.js';

/** What the dispatcher tells its run. */
export interface DispatchEvents {
  /** A unit answered: to be decided, and never lost. */
  onAnswer(signal: Signal): void;
  /** A place among the executions of the process came free, and was used or not. */
  onPlace(): void;
}

/**
 * Calls the units of one run, as its durable state says.
 *
 * 1. An execution is in flight at most once, and not again while its answer waits to be decided.
 * 2. What the state does not know any more is aborted.
 * 3. At most `maxParallelUnits` of the run, and as many of the process as `Admission` lets in.
 */
export class Dispatcher {
  private readonly flights = new Map<number, Flight>();
  /** Executions whose answer waits in the mailbox, with the attempt it is to: they are not called again. */
  private readonly answered = new Map<number, number>();
  /** Waits for a place among the executions of the process. */
  private isWaiting = false;
  private readonly redispatch = (): void => {
    this.isWaiting = false;
    this.dispatch();
    this.events.onPlace();
  };

  constructor(
    private readonly run: RunInMemory,
    private readonly shell: RunShell,
    private readonly events: DispatchEvents,
  ) {}

  get hasFlights(): boolean {
    return this.flights.size > 0;
  }

  get isWaitingForPlace(): boolean {
    return this.isWaiting;
  }

  /** The `uses` of what waits to be called, if nothing of it is registered in this process; else none. */
  missingUnits(): readonly string[] {
    const missing = new Set<string>();
    for (const command of pending(this.run.durable)) {
      if (command.type !== 'execute-unit') continue;
      const unit = this.unitOf(command.execution);
      if (this.shell.executorFor(this.run.definition, unit) !== null) return [];
      missing.add(unit.uses);
    }
    return [...missing];
  }

  /** Calls the units that may be called now. */
  dispatch(): void {
    const { executions } = this.run.durable;
    for (const [id, flight] of this.flights) {
      const execution = executions.get(id);
      if (
        execution !== undefined &&
        execution.attempt === flight.attempt &&
        this.run.durable.phase === 'live'
      )
        continue;
      this.flights.delete(id);
      this.shell.admission.leave();
      flight.abort();
    }
    if (executions.size === 0 || this.shell.isClosing()) return;
    const now = this.shell.clock.now();
    for (const command of pending(this.run.durable)) {
      if (this.flights.size >= this.run.definition.plan.maxParallelUnits) return;
      if (command.type !== 'execute-unit' || this.flights.has(command.execution.id)) continue;
      if (this.answered.get(command.execution.id) === command.execution.attempt) continue;
      if (command.execution.retryAt > now) continue;
      if (!this.shell.admission.tryEnter(this.redispatch)) {
        this.isWaiting = true;
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
    const { plan } = this.run.definition;
    const unit = this.unitOf(execution);
    const executor = this.shell.executorFor(this.run.definition, unit);
    if (executor === null) {
      this.shell.admission.leave();
      this.shell.awaitUnit(unit.uses, this.run.runId);
      return;
    }
    const flight = new Flight(`${this.run.runId}:${execution.key}`, execution.attempt);
    this.flights.set(execution.id, flight);
    const deadlineAt = clock.now() + execution.timeoutMs;
    const request = new PlannedUnitRequest(plan, this.run.durable, execution, unit, deadlineAt);
    flight.start(executor, request, { clock, timeoutMs: execution.timeoutMs }, (answer) => {
      this.flights.delete(execution.id);
      this.answered.set(execution.id, execution.attempt);
      this.shell.admission.leave();
      this.events.onAnswer(signalOf(execution, answer, clock.now()));
    });
  }

  private unitOf({ path }: Execution): PlanUnit {
    const node = nodeAt(this.run.definition.plan, path);
    if (node.type !== 'unit')
      throw new Error(`The ${node.type} at ${node.path} is no unit: the log is corrupt.`);
    return unitAt(this.run.definition.plan, node);
  }

  /** What was decided upon needs no guarding any more: a call for a new attempt is a call of its own. */
  settle(signals: Iterable<Signal>): void {
    for (const signal of signals) {
      if (signal.type !== 'unit-finished' && signal.type !== 'unit-attempt-failed') continue;
      if (this.answered.get(signal.executionId) === signal.attempt) this.answered.delete(signal.executionId);
    }
  }
}

function signalOf(execution: Execution, answer: UnitAnswer, at: number): Signal {
  const { id: executionId, attempt } = execution;
  if (answer.kind === 'finished') {
    const { output, patch, usage, metadata } = answer;
    return { type: 'unit-finished', at, executionId, attempt, output, patch, usage, metadata };
  }
  const { error, retryable, outcome, retryAfterMs } = answer;
  return { type: 'unit-attempt-failed', at, executionId, attempt, error, retryable, outcome, retryAfterMs };
}

import type { RunEvent } from '../../core/log/event.js';
import { unitOf, type PlanUnit } from '../../core/plan/plan.js';
import type { Signal } from '../../core/signal.js';
import { hasBudgets } from '../../core/state/run-budget.js';
import type { RunState } from '../../core/state/state.js';
import { executionOf, type Execution } from '../../core/waits/execution.js';
import type { UnitExecutor, UnitOutcome } from '../../ports/unit-executor.js';
import type { RunInMemory, RunShell } from '../run-shell.js';
import type { AttemptEvents } from './attempts/attempt-in-flight.js';
import { newAttempt } from './attempts/new-attempt.js';
import { outcomeSignal } from './attempts/outcome-signal.js';
import { isWindingDown, type Dispatcher } from './dispatcher.js';

/** What is called, and by what. */
interface Callable {
  readonly unit: PlanUnit;
  readonly executor: UnitExecutor;
}

/**
 * Executes pure units of one run on a state that is not stored yet (decision 0104). What it does not accept, the
 * `Dispatcher` calls once the state is stored: that is always right, and costs a write.
 */
export class PureCalls {
  constructor(
    private readonly run: RunInMemory,
    private readonly shell: RunShell,
    private readonly dispatcher: Pick<Dispatcher, 'inFlightCount' | 'isCalled' | 'underWay'>,
  ) {}

  /** Whether units of the run may be called at all. What has a budget is called one after the other, as its usage is stored. */
  isOpen(state: RunState): boolean {
    const { ownership, units } = this.shell;
    const { plan } = this.run.definition;
    return (
      state.budget === null &&
      !hasBudgets(plan) &&
      !isWindingDown(state) &&
      !units.isClosing() &&
      this.dispatcher.inFlightCount < plan.maxParallelUnits &&
      ownership.owns(this.run.runId)
    );
  }

  /** Whether it is the first attempt of a pure unit. One that failed is tried again as any other, after its back-off. */
  accepts(execution: Execution): boolean {
    return (
      execution.attempt === 1 && !this.dispatcher.isCalled(execution.id) && this.find(execution) !== null
    );
  }

  /** Whether code of the host is called, which may end the process. */
  callsHost({ path }: Execution): boolean {
    return !unitOf(this.run.definition.plan, path).uses.startsWith('builtin.');
  }

  /** Whether a pure unit of the host is about to be executed, by the dispatcher. */
  get isCallingHost(): boolean {
    return this.dispatcher.underWay.some((id) => {
      const execution = executionOf(this.run.durable, id);
      return execution !== undefined && this.callsHost(execution) && this.find(execution) !== null;
    });
  }

  /** Whether these events schedule a pure unit that is still to be executed. */
  isNextOf({ events, state }: { readonly events: readonly RunEvent[]; readonly state: RunState }): boolean {
    return events.some(({ type, seq }) => {
      const execution = type === 'unit-scheduled' ? executionOf(state, seq) : undefined;
      return execution !== undefined && this.accepts(execution);
    });
  }

  /** Whether the signal is the outcome of a pure unit, which was open in that state. */
  isOutcomeOf(state: RunState, signal: Signal): boolean {
    if (signal.type !== 'unit-finished' && signal.type !== 'unit-attempt-failed') return false;
    const execution = executionOf(state, signal.executionId);
    return execution !== undefined && this.find(execution) !== null;
  }

  /** Makes the attempt. Null where there is no outcome at once after all: then it is called as any other. */
  outcomeOf(state: RunState, execution: Execution): Signal | null {
    const callable = this.find(execution);
    if (callable === null) return null;
    const { clock, units } = this.shell;
    const outcome = new OutcomeAtOnce();
    const { unit, executor } = callable;
    const { attempt, request } = newAttempt(this.shell, this.run.definition, state, {
      unit,
      execution,
      events: outcome,
    });
    attempt.start(executor, request, units.deadlines);
    if (outcome.value === null) {
      attempt.abort(true);
      return null;
    }
    attempt.release();
    return outcomeSignal(attempt, outcome.value, clock.now());
  }

  private find({ path, settings }: Execution): Callable | null {
    const { definition } = this.run;
    const unit = unitOf(definition.plan, path);
    const executor = this.shell.units.executorFor(definition, unit);
    return executor?.isPure?.(settings ?? unit.config) === true ? { unit, executor } : null;
  }
}

class OutcomeAtOnce implements AttemptEvents {
  value: UnitOutcome | null = null;

  onOutcome(_attempt: unknown, outcome: UnitOutcome): void {
    this.value = outcome;
  }
}

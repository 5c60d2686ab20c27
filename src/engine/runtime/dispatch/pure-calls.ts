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
    private readonly dispatcher: Pick<Dispatcher, 'isFull' | 'isCalled' | 'followsDeath' | 'isLeftTo'>,
  ) {}

  /** Whether any unit of the run may be pure: for others nothing here has to be asked. */
  get mayBePure(): boolean {
    return this.shell.units.mayBePure(this.run.definition);
  }

  /** Whether units of the run may be called at all. What has a budget is called one after the other, as its usage is stored. */
  isOpen(state: RunState): boolean {
    const { ownership, units } = this.shell;
    return (
      state.budget === null &&
      !hasBudgets(this.run.definition.plan) &&
      !isWindingDown(state) &&
      !units.isClosing() &&
      !this.dispatcher.isFull &&
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

  /** Whether these events schedule a pure unit that is still to be executed. */
  isNextOf({ events, state }: { readonly events: readonly RunEvent[]; readonly state: RunState }): boolean {
    return events.some(({ type, seq }) => {
      const execution = type === 'unit-scheduled' ? executionOf(state, seq) : undefined;
      return execution !== undefined && this.accepts(execution);
    });
  }

  /** Whether an open execution is one of a pure unit of the host. */
  isOfHost(state: RunState, executionId: number): boolean {
    const execution = executionOf(state, executionId);
    return execution !== undefined && this.find(execution) !== null && this.callsHost(execution);
  }

  /** Whether the signal is the outcome of a pure unit, which was open in that state. */
  isOutcomeOf(state: RunState, signal: Signal): boolean {
    if (signal.type !== 'unit-finished' && signal.type !== 'unit-attempt-failed') return false;
    const execution = executionOf(state, signal.executionId);
    return execution !== undefined && this.find(execution) !== null;
  }

  /**
   * Makes the attempt. Null where there is no outcome at once after all: then it is called as any other. `isStored`: the
   * run is in the store, so a mark is left there before code of the host is called, by which the next process knows of it. After
   * a death that mark has to be kept for certain: where the store takes a while for it, the call is left to the dispatcher.
   */
  outcomeOf(state: RunState, execution: Execution, isStored: boolean): Signal | null {
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
    const isMarked = isStored && this.callsHost(execution);
    const marking = isMarked ? units.launcher.beginNow(attempt) : undefined;
    if (marking instanceof Promise && this.dispatcher.followsDeath) {
      this.dispatcher.isLeftTo(execution.id, attempt);
      attempt.abort(true);
      return null;
    }
    attempt.start(executor, request, units.deadlines);
    if (isMarked) units.launcher.end(attempt);
    if (outcome.value === null) {
      attempt.abort(true);
      return null;
    }
    attempt.release();
    return outcomeSignal(attempt, outcome.value, clock.now());
  }

  /** Null: the unit is not pure, or whether it is cannot be said, which the dispatcher meets, and reports. */
  private find(execution: Execution): Callable | null {
    const { definition } = this.run;
    const { units, settings } = this.shell;
    try {
      const unit = unitOf(definition.plan, execution.path);
      const executor = units.executorFor(definition, unit);
      if (executor?.isPure === undefined) return null;
      return executor.isPure(settings.opened(execution).settings ?? unit.config) ? { unit, executor } : null;
    } catch {
      return null;
    }
  }
}

class OutcomeAtOnce implements AttemptEvents {
  value: UnitOutcome | null = null;

  onOutcome(_attempt: unknown, outcome: UnitOutcome): void {
    this.value = outcome;
  }
}

import type { Clock, JsonObject, JsonValue, UnitContext, UnitHandler, UnitRequest } from '../engine/index.js';
import { NonRetryableError } from '../errors/unit-errors.js';
import { shown } from './assertion.js';
import { asleep, type Sleepers } from './sleepers.js';

/** One call that a scripted unit was given. */
export interface ScriptedCall {
  readonly input: JsonValue;
  readonly state: JsonObject;
  readonly runId: string;
  readonly unitId: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** Epoch ms, by the clock of the test. */
  readonly at: number;
}

interface Step {
  readonly afterMs: number;
  readonly act: (request: UnitRequest, context: UnitContext) => unknown;
}

/**
 * A unit that does what a test wrote down, one step for each call, and keeps what it was called with. A call for which there
 * is no step left fails permanently, and says so.
 */
export class ScriptedUnit {
  /** In the order of the calls. */
  readonly calls: ScriptedCall[] = [];
  private readonly steps: Step[] = [];
  private delayMs = 0;
  private repeatsLast = false;

  /** One call each: returns this. */
  answers(...outputs: readonly unknown[]): this {
    for (const output of outputs) this.add(() => output);
    return this;
  }

  /** One call: does what the function does. */
  does(act: (request: UnitRequest, context: UnitContext) => unknown): this {
    return this.add(act);
  }

  /** One call: throws, and is tried again as the workflow's policy says. */
  fails(message: string): this {
    return this.add(() => {
      throw new Error(message);
    });
  }

  /** One call: throws a `NonRetryableError`. */
  failsForGood(message: string): this {
    return this.add(() => {
      throw new NonRetryableError(message);
    });
  }

  /** One call: never returns; it ends with its time-out, or with the run. */
  hangs(): this {
    this.delayMs = Infinity;
    return this.add(() => null);
  }

  /** The next step that is written takes so many ms of the test's clock. */
  after(ms: number): this {
    this.delayMs = ms;
    return this;
  }

  /** The last step counts for all calls from then on. */
  forever(): this {
    this.repeatsLast = true;
    return this;
  }

  /** What an engine with that clock registers; the kit does this itself. */
  handler(clock: Clock, sleepers?: Sleepers): UnitHandler {
    return async (request, context) => {
      const { input, state } = request;
      const { runId, unitId, attempt, idempotencyKey, signal } = context;
      const callFields = { runId, unitId, attempt, idempotencyKey, at: clock.now() };
      this.calls.push(Object.freeze({ input, state, ...callFields }));
      const step = this.stepOf(this.calls.length);
      if (step.afterMs > 0) await asleep(clock, step.afterMs, signal, sleepers);
      return step.act(request, context);
    };
  }

  private add(act: Step['act']): this {
    this.steps.push({ afterMs: this.delayMs, act });
    this.delayMs = 0;
    return this;
  }

  private stepOf(call: number): Step {
    const step = this.steps[call - 1] ?? (this.repeatsLast ? this.steps.at(-1) : undefined);
    if (step !== undefined) return step;
    const { unitId, input } = this.calls[call - 1] ?? { unitId: '', input: null };
    throw new NonRetryableError(
      `the script of this unit has ${this.steps.length} step(s), and this is call ${call} (unit ${unitId}, input ${shown(input)}): write another step, or forever()`,
    );
  }
}

/** A unit to write steps for: `scripted().fails('busy').after(5_000).answers({ ok: true })`. */
export function scripted(): ScriptedUnit {
  return new ScriptedUnit();
}

import type { PlanUnit } from '../../core/plan/plan.js';
import type { RunState } from '../../core/state/state.js';
import type { Execution } from '../../core/waits/execution.js';
import type { Definition } from '../../definitions/definition.js';
import type { AttemptOutcome, Telemetry } from '../../ports/telemetry.js';
import type { AttemptWatch } from './attempt-watch.js';
import type { LazyTracing } from './lazy-tracing.js';
import type { AttemptSpan, TracedAttempt } from './run-tracing.js';

export interface AttemptsOptions {
  /** Null: metrics are off. */
  readonly telemetry: Telemetry | null;
  readonly tracing: LazyTracing;
  /** As in `Telemetry.attempted`. */
  readonly originOf: (definition: Definition, unit: PlanUnit) => string;
}

/** Makes the watches of the attempts of all runs. */
export class Attempts {
  constructor(private readonly options: AttemptsOptions) {}

  /** Null: metrics and tracing are both off. */
  watch(
    run: RunState,
    definition: Definition,
    unit: PlanUnit,
    { key, attempt }: Pick<Execution, 'key' | 'attempt'>,
  ): AttemptWatch | null {
    const { telemetry, tracing, originOf } = this.options;
    if (telemetry === null && !tracing.isOn) return null;
    const origin = originOf(definition, unit);
    const executionId = `${run.runId}:${key}`;
    return new Watch(telemetry, tracing, run, { unitId: unit.id, executionId, attempt, origin });
  }
}

class Watch implements AttemptWatch {
  private begunAt = 0;
  private span: AttemptSpan | null = null;

  constructor(
    private readonly telemetry: Telemetry | null,
    private readonly tracing: LazyTracing,
    private readonly run: RunState,
    private readonly attempt: TracedAttempt,
  ) {}

  get traceparent(): string | undefined {
    return this.span?.traceparent;
  }

  within<T>(call: () => T): T {
    this.begunAt = performance.now();
    this.span = this.tracing.begin(this.run, this.attempt);
    return this.span === null ? call() : this.span.within(call);
  }

  end(outcome: AttemptOutcome, isTakenUp: boolean): void {
    const { telemetry, span, begunAt, attempt } = this;
    // The attempt was given up before it began.
    if (begunAt === 0) return;
    telemetry?.attempted(attempt.origin, outcome, performance.now() - begunAt);
    if (span !== null && !isTakenUp) this.tracing.safely(() => span.end(outcome));
  }
}

import type { PlanUnit } from '../../../core/plan/plan.js';
import type { RunState } from '../../../core/state/state.js';
import type { Execution } from '../../../core/waits/execution.js';
import type { Definition } from '../../../definitions/definition.js';
import type { RunShell } from '../../run-shell.js';
import { PlannedUnitRequest } from '../unit-request.js';
import { AttemptInFlight, type AttemptEvents } from './attempt-in-flight.js';

/** The next attempt of an execution, and what its unit is given of this state. Throws where its settings cannot be opened. */
export function newAttempt(
  { clock, units, settings }: Pick<RunShell, 'clock' | 'units' | 'settings'>,
  definition: Definition,
  state: RunState,
  called: { readonly unit: PlanUnit; readonly execution: Execution; readonly events: AttemptEvents },
): { readonly attempt: AttemptInFlight; readonly request: PlannedUnitRequest } {
  const { unit, execution, events } = called;
  const timeoutMs = Math.min(execution.timeoutMs, units.maxUnitMs);
  const opened = settings.opened(execution);
  const watch = units.attempts.watch(state, definition, unit, execution);
  const attempt = new AttemptInFlight(state.runId, execution, timeoutMs, events, units.maxUnitMs, watch);
  attempt.deadlineAt = clock.wallTime() + timeoutMs;
  const request = new PlannedUnitRequest(definition.plan, state, opened, unit, attempt);
  return { attempt, request };
}

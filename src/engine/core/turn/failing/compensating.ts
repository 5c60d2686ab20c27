import { ExpressionError } from '../../../../errors/document-errors.js';
import type { JsonObject } from '../../json.js';
import type { Location, ScopeId } from '../../log/event-base.js';
import { type ExpressionScope, NOTHING_SHARED } from '../../plan/expression.js';
import type { Compensation, Plan } from '../../plan/plan.js';
import { brokenOffAt } from '../../fold/closing/debts.js';
import { isInside } from '../../state/closings.js';
import type { Debt } from '../../state/debts/debt.js';
import { debtsSince } from '../../state/debts/debts-by-age.js';
import type { Closing } from '../../state/scope.js';
import type { RunState } from '../../state/state.js';
import { errorText } from './error-text.js';
import type { Turn } from '../turn.js';

/** Which of the calls that were done a closing is about. */
type Undone = Pick<Closing, 'path' | 'since' | 'except'> & Partial<Pick<Closing, 'reason' | 'undoing'>>;

/** Whether anything was done inside of the node since the event that can be undone, and is not yet. */
export function owes(plan: Plan, state: RunState, scope: ScopeId, undone: Undone): boolean {
  if (undone.since === undefined) return false;
  const isOwed = debtsToUndo(plan, state, scope, undone).next().done !== true;
  return isOwed || mayOwe(plan, state, scope, undone);
}

/** Whether closing the node breaks off a call whose compensation is called also where it is unknown what the call has done. */
function mayOwe({ units }: Plan, state: RunState, scope: ScopeId, undone: Undone): boolean {
  for (const call of brokenOffAt(state, state.eventAt)) {
    if (units.get(call.unitId)?.compensate?.onUnknown === true && isDoneInside(call, scope, undone))
      return true;
  }
  return false;
}

/** The calls that are undone, the last one first. What is undone on the way changes nothing of those that come after it. */
function* debtsToUndo(
  plan: Plan,
  state: RunState,
  scope: ScopeId,
  undone: Undone,
): Generator<readonly [id: number, debt: Debt, compensation: Compensation]> {
  const { since, reason, undoing } = undone;
  if (since === undefined) return;
  for (const [id, debt] of debtsSince(state, since, undoing?.reached)) {
    const compensation = isDoneInside(debt, scope, undone) ? undoneWith(plan, debt, reason) : null;
    if (compensation !== null) yield [id, debt, compensation];
  }
}

/** What the call is undone with; null: it is not. Of a run that is over, only what was tried before and failed is. */
function undoneWith(plan: Plan, { status, unitId }: Debt, reason?: Closing['reason']): Compensation | null {
  const compensation = plan.units.get(unitId)?.compensate ?? null;
  if (compensation === null || status === 'again') return compensation;
  const isOwed = status === 'owed' || (status === 'unknown' && compensation.onUnknown);
  return isOwed && reason !== 'again' ? compensation : null;
}

function isDoneInside(call: Location, scope: ScopeId, { path, except }: Undone): boolean {
  if (call.scope === scope) return isInside(call.path, path);
  if (!call.scope.startsWith(`${scope}>`)) return false;
  if (except !== undefined && (call.scope === except || call.scope.startsWith(`${except}>`))) return false;
  const fanOut = call.scope.slice(scope.length + 1);
  const at = fanOut.slice(0, fanOut.indexOf('#'));
  return path === '' || at === path || isInside(at, path);
}

/**
 * Undoes what was done inside of what the scope closes, one call after the other. True: it does not go on before something
 * outside has happened, or something was tried; false: nothing is left to undo.
 */
export function undoNext(turn: Turn, scope: ScopeId, closing: Closing): boolean {
  const { plan } = turn;
  const { path } = closing;
  if (closing.since === undefined) return false;
  let hasBegun = closing.undoing !== undefined;
  const begin = (): void => {
    if (hasBegun) return;
    const owed = countOwed(plan, turn.state, scope, closing);
    turn.emit({ type: 'compensation-started', scope, path, owed });
    hasBegun = true;
  };
  for (const [executionId, debt, compensation] of debtsToUndo(plan, turn.state, scope, closing)) {
    begin();
    if (debt.error !== null) {
      turn.emit({ type: 'compensation-failed', executionId, error: debt.error });
      continue;
    }
    try {
      schedule(turn, scope, executionId, debt, compensation);
      return true;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      turn.emit({ type: 'compensation-failed', executionId, error: errorText(error.message) });
    }
  }
  // What was overtaken is left with the event that says that nothing is left to undo.
  if (closing.isOvertaken === true) begin();
  if (hasBegun)
    turn.emit({ type: 'compensation-finished', scope, path, ...countEnds(turn.state, scope, closing) });
  return false;
}

function schedule(
  turn: Turn,
  scope: ScopeId,
  executionId: number,
  debt: Debt,
  { unitId, path, input }: Compensation,
): void {
  const unit = turn.plan.units.get(unitId);
  if (unit === undefined) throw new ExpressionError(`there is no unit ${unitId}.`);
  const seen = scopeOfCompensation(turn, debt);
  const { input: given, output } = debt;
  const settings = unit.settings === null ? null : ((unit.settings.evaluate(seen) ?? {}) as JsonObject);
  turn.emit({
    type: 'unit-scheduled',
    path,
    scope,
    unitId,
    input: input === null ? { input: given, output } : input.evaluate(seen),
    settings,
    key: debt.key,
    timeoutMs: unit.timeoutMs,
    compensates: executionId,
  });
}

/** What a compensation sees: the run's input, and what was done. Never the state, which has changed since. */
function scopeOfCompensation(turn: Turn, { input, output, in: where, known }: Debt): ExpressionScope {
  const { input: ofRun, vars, runId, workflowId, createdAt } = turn.state;
  const done: JsonObject = { input, output, ...(where as JsonObject), known };
  const run = { runId, workflowId, createdAt };
  return { input: ofRun, state: NOTHING_SHARED, run, vars, done, meter: turn };
}

function countOwed(plan: Plan, state: RunState, scope: ScopeId, closing: Closing): number {
  return [...debtsToUndo(plan, state, scope, closing)].length;
}

function countEnds(state: RunState, scope: ScopeId, closing: Closing) {
  const ends = { done: 0, failed: 0, unknown: 0 };
  for (const [, debt] of debtsSince(state, closing.since ?? 0)) {
    if (!isDoneInside(debt, scope, closing) || debt.status === 'owed' || debt.status === 'again') continue;
    ends[debt.status] += 1;
  }
  return ends;
}

import type { JsonObject } from '../json.js';
import { approximateChars } from '../json-size.js';
import type { Draft } from './state.js';

export function charsOfVars(vars: JsonObject | undefined): number {
  return vars === undefined ? 0 : approximateChars(vars);
}

/** The vars of a run that has just started. */
export function takeVars(draft: Draft, vars: JsonObject | undefined): void {
  if (vars === undefined) return;
  draft.vars = vars;
  draft.stateChars += charsOfVars(vars);
}

import { approximateChars } from '../json-size.js';
import type { Place } from '../log/event-base.js';
import type { Draft, RunState, UnitInput } from './state.js';

/** What the unit is given at that place in place of what its `with` says; undefined: nothing. */
export function unitInputAt({ unitInputs }: RunState, place: Place): UnitInput | undefined {
  // As in nearly every run.
  return unitInputs.length === 0 ? undefined : unitInputs.find((given) => isAt(given, place));
}

/** In place of what was given there before. */
export function giveInput(draft: Draft, given: UnitInput): void {
  dropInput(draft, given);
  draft.unitInputs = [...draft.unitInputs, given];
  draft.stateChars += charsOfUnitInputs([given]);
}

/** The unit was scheduled there: what it was given is used up. */
export function dropInput(draft: Draft, place: Place): void {
  const used = unitInputAt(draft, place);
  if (used === undefined) return;
  draft.unitInputs = draft.unitInputs.filter((given) => given !== used);
  draft.stateChars -= charsOfUnitInputs([used]);
}

export function charsOfUnitInputs(unitInputs: readonly UnitInput[]): number {
  return unitInputs.reduce((sum, { input }) => sum + approximateChars(input), 0);
}

function isAt(given: Place, { path, scope }: Place): boolean {
  return given.path === path && given.scope === scope;
}

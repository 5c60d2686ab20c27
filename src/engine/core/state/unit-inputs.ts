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

/** The unit was scheduled there, or skipped: what it was given is used up. */
export function dropInput(draft: Draft, place: Place): void {
  const used = unitInputAt(draft, place);
  if (used === undefined) return;
  draft.unitInputs = draft.unitInputs.filter((given) => given !== used);
  draft.stateChars -= charsOfUnitInputs([used]);
}

/** Whatever the thread did there, it has passed the node: what comes to places inside of it next is another pass. */
export function dropInputsInside(draft: Draft, { path, scope }: Place): void {
  // As in nearly every run.
  if (draft.unitInputs.length === 0) return;
  const isInside = (given: Place): boolean =>
    given.path.startsWith(`${path}/`) && (given.scope === scope || given.scope.startsWith(`${scope}>`));
  for (const given of draft.unitInputs) if (isInside(given)) dropInput(draft, given);
}

export function charsOfUnitInputs(unitInputs: readonly UnitInput[]): number {
  return unitInputs.reduce((sum, { input }) => sum + approximateChars(input), 0);
}

function isAt(given: Place, { path, scope }: Place): boolean {
  return given.path === path && given.scope === scope;
}

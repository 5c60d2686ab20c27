import { approximateChars } from '../json-size.js';
import type { Location } from '../log/event-base.js';
import type { Draft, RunState, UnitInput } from './state.js';

/** The input that the unit gets at that location in place of what its `with` says; undefined: none was given. */
export function unitInputAt({ unitInputs }: RunState, location: Location): UnitInput | undefined {
  // Nearly every run has none.
  return unitInputs.length === 0 ? undefined : unitInputs.find((given) => isAt(given, location));
}

/** Replaces what was given there before. */
export function giveInput(draft: Draft, given: UnitInput): void {
  dropInput(draft, given);
  draft.unitInputs = [...draft.unitInputs, given];
  draft.stateChars += charsOfUnitInputs([given]);
}

/** The unit was scheduled there, or skipped: what it was given is used up. */
export function dropInput(draft: Draft, location: Location): void {
  const used = unitInputAt(draft, location);
  if (used === undefined) return;
  draft.unitInputs = draft.unitInputs.filter((given) => given !== used);
  draft.stateChars -= charsOfUnitInputs([used]);
}

/** The thread has passed the node, in whichever way: what comes to locations inside of it next is another pass. */
export function dropInputsInside(draft: Draft, { path, scope }: Location): void {
  // Nearly every run has none.
  if (draft.unitInputs.length === 0) return;
  const isInside = (given: Location): boolean =>
    given.path.startsWith(`${path}/`) && (given.scope === scope || given.scope.startsWith(`${scope}>`));
  for (const given of draft.unitInputs) if (isInside(given)) dropInput(draft, given);
}

export function charsOfUnitInputs(unitInputs: readonly UnitInput[]): number {
  return unitInputs.reduce((sum, { input }) => sum + approximateChars(input), 0);
}

function isAt(given: Location, { path, scope }: Location): boolean {
  return given.path === path && given.scope === scope;
}

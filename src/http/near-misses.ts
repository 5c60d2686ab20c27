import { editDistance } from '../errors/near-names.js';
import type { RequestFault } from '../errors/request-errors.js';

/** A body with more unknown fields than this was not written by hand; comparing a million of them takes seconds. */
const MAX_UNKNOWN = 1_000;
/** More letters than the longest field and its slips have: the name is no slip. */
const MAX_LENGTH = 32;
const LETTERS_FOR_TWO_SLIPS = 8;
/** The next word of a compound: `approvedBy`, `approved_at`. */
const NEXT_WORD = /^[A-Z_-]/;
const PLAIN_NAME = /^[\w-]+$/;
const NOTHING: readonly RequestFault[] = [];

/**
 * The fields of `given` that nobody reads but whose sender meant one that is read: `inputs` for `input`. Read in
 * silence they would start a run with nothing, or decide at another gate; every other unknown field is ignored.
 * `kind` completes "… is no".
 */
export function nearMisses(given: object, known: readonly string[], kind: string): readonly RequestFault[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return NOTHING;
  return unknown.slice(0, MAX_UNKNOWN).flatMap((name) => {
    const meant = fieldMeantBy(name, known);
    if (meant === null) return [];
    const shown = PLAIN_NAME.test(name) ? name : JSON.stringify(name);
    return [{ path: name, message: `${shown} is no ${kind}: did you mean ${meant}?` }];
  });
}

/** The known field that an unknown one stands for, or null where it is a name of its own (decision 0018). */
export function fieldMeantBy(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_LENGTH) return null;
  let nearest: string | null = null;
  let fewest = Infinity;
  for (const field of known) {
    const slips = slipsBetween(name, field);
    if (slips < fewest) [nearest, fewest] = [field, slips];
  }
  return nearest;
}

/** How many slips lead from the field to the name; Infinity when they are too many or make it another name. */
function slipsBetween(name: string, field: string): number {
  const [one, other] = [lettersOf(name), lettersOf(field)];
  if (one === other) return 0;
  // `gate` for `gateId`.
  if (field.endsWith('Id') && one === lettersOf(field.slice(0, -2))) return 1;
  const isCompound = name.startsWith(field) && NEXT_WORD.test(name.slice(field.length));
  // Whoever slips has the first letter right; `async` is not `sync`.
  if (isCompound || one[0] !== other[0]) return Infinity;
  const allowed = field.length >= LETTERS_FOR_TWO_SLIPS ? 2 : 1;
  if (Math.abs(one.length - other.length) > allowed) return Infinity;
  const slips = editDistance(one, other);
  return slips <= allowed ? slips : Infinity;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

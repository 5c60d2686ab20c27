import { editDistance } from '../../errors/near-names.js';
import type { RequestFault } from '../../errors/request-errors.js';

/** A body with more unknown fields was not written by hand; comparing a million of them takes seconds. */
const MAX_UNKNOWN = 1_000;
/** A longer name is not a typo of any field. */
const MAX_LENGTH = 32;
const LETTERS_FOR_TWO_TYPOS = 8;
/** The next word of a compound: `approvedBy`, `approved_at`. */
const NEXT_WORD = /^[A-Z_-]/;
const PLAIN_NAME = /^[\w-]+$/;
const NOTHING: readonly RequestFault[] = [];

/**
 * The fields of `given` that are not read but probably stand for one that is: `inputs` for `input`. If they were
 * ignored, they would start a run with no input, or decide at another gate; every other unknown field is ignored.
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

/** The known field that an unknown one stands for, or null if it is a name of its own (decision 0018). */
export function fieldMeantBy(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_LENGTH) return null;
  let nearest: string | null = null;
  let fewest = Infinity;
  for (const field of known) {
    const typos = typosBetween(name, field);
    if (typos < fewest) [nearest, fewest] = [field, typos];
  }
  return nearest;
}

/** The number of typos between the field and the name; Infinity if they are too many or make it another name. */
function typosBetween(name: string, field: string): number {
  const [one, other] = [lettersOf(name), lettersOf(field)];
  if (one === other) return 0;
  // `gate` for `gateId`.
  if (field.endsWith('Id') && one === lettersOf(field.slice(0, -2))) return 1;
  const isCompound = name.startsWith(field) && NEXT_WORD.test(name.slice(field.length));
  // A typo keeps the first letter; `async` is not `sync`.
  if (isCompound || one[0] !== other[0]) return Infinity;
  const allowed = field.length >= LETTERS_FOR_TWO_TYPOS ? 2 : 1;
  if (Math.abs(one.length - other.length) > allowed) return Infinity;
  const typos = editDistance(one, other);
  return typos <= allowed ? typos : Infinity;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

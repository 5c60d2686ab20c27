/**
 * How an expression reads an output. `plain`: without it, the expression has no value. `conditional`: in `&&`, `||`, `?:`
 * or the body of a comprehension, where a value that is missing may not matter. `asked`: whether it is there.
 */
export type ReadKind = 'plain' | 'conditional' | 'asked';

/** An output that an expression reads, and its position in a text of the compiled value. */
export interface OutputRead {
  readonly unitId: string;
  readonly kind: ReadKind;
  /** A JSON pointer into the value, to the `text`. */
  readonly path: string;
  readonly text: string;
  /** The offset in the text, in UTF-16 code units. */
  readonly offset: number;
}

/** The units of the document in which an expression stands; what it reads of others can never be there. */
export interface KnownUnits {
  has(unitId: string): boolean;
  /** An id that could have been meant. */
  near(unitId: string): string | undefined;
  /** The ids, in the order of the document. */
  ids(): Iterable<string>;
  /** Takes a sentence about what is no fault but probably not meant. */
  warn(message: string): void;
  /** Takes a read of a unit that exists. */
  read(read: OutputRead): void;
}

/** The same units, for the expression that begins at `start` of a text. */
export function unitsWithin(
  units: KnownUnits | null,
  { path, text, start }: { readonly path: string; readonly text: string; readonly start: number },
): KnownUnits | null {
  if (units === null) return null;
  const read = (found: OutputRead): void =>
    units.read({ ...found, path, text, offset: start + found.offset });
  return { ...units, read };
}

const SHOWN_IDS = 8;
const SHOWN_CHARACTERS = 100;

/** What is wrong with reading the output or the error of `unitId`; null when there is such a unit. */
export function unknownUnit(unitId: string, units: KnownUnits, variable: string): string | null {
  const id = unitId.normalize('NFC');
  if (units.has(id)) return null;
  const near = units.near(id);
  const advice =
    near === undefined
      ? `the units are ${listed(units.ids())}`
      : `did you mean ${memberText(variable, near)}?`;
  return `no unit is named ${id.slice(0, SHOWN_CHARACTERS)}: ${advice}`;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `outputs.extract`, or `outputs["my-unit"]` where the id is no identifier. */
export function memberText(variable: string, unitId: string): string {
  const shown = unitId.slice(0, SHOWN_CHARACTERS);
  return IDENTIFIER.test(unitId) ? `${variable}.${shown}` : `${variable}[${JSON.stringify(shown)}]`;
}

function listed(ids: Iterable<string>): string {
  const all = [...ids];
  const shown = all.slice(0, SHOWN_IDS).map((id) => id.slice(0, SHOWN_CHARACTERS));
  return all.length > shown.length
    ? `${shown.join(', ')} and ${all.length - shown.length} more`
    : shown.join(', ');
}

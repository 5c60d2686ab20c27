/**
 * How an expression reads an output. `plain`: without it, the expression has no value. `conditional`: in `&&`, `||`, `?:`
 * or the body of a comprehension, where a value that is missing may not matter. `asked`: whether it is there.
 */
export type ReadKind = 'plain' | 'conditional' | 'asked';

/** A position in a text of the compiled value. */
export interface ReadPosition {
  /** A JSON pointer into the value, to the `text`. */
  readonly path: string;
  readonly text: string;
  /** The offset in the text, in UTF-16 code units. */
  readonly offset: number;
}

/** An output that an expression reads, and where it does. */
export interface OutputRead extends ReadPosition {
  readonly unitId: string;
  readonly kind: ReadKind;
}

/** The units of the document in which an expression stands; what it reads of others can never be there. */
export interface KnownUnits {
  has(unitId: string): boolean;
  /** An id that could have been meant. */
  near(unitId: string): string | undefined;
  /** The ids, in the order of the document. */
  ids(): Iterable<string>;
  /** Takes a sentence about what is no fault but probably not meant. */
  warn(at: ReadPosition, message: string): void;
  /** Takes a read of a unit that exists. */
  read(read: OutputRead): void;
  /** The vars that are in scope; absent: this is not checked. */
  readonly vars?: KnownVars;
}

/** The `spec.vars` that an expression may read. */
export interface KnownVars {
  readonly isEmpty: boolean;
  has(name: string): boolean;
  /** A name that could have been meant. */
  near(name: string): string | undefined;
  /** Takes a read of one that exists. */
  read(name: string): void;
  /** Takes that all of them are looked at, as in `size(vars)`. */
  readAll(): void;
}

export const NO_VARS = 'there are no vars here: put them into spec.vars, above what reads them';

/** Why there is no such var, and what to do. */
export function unknownVar(name: string, vars: KnownVars): string {
  if (vars.isEmpty) return NO_VARS;
  const near = vars.near(name);
  const advice =
    near === undefined ? 'put it into spec.vars, above what reads it' : `did you mean vars.${near}?`;
  return `there is no var ${name.slice(0, SHOWN_CHARACTERS)} here: ${advice}`;
}

/** The same units, for the expression that begins at `start` of a text. */
export function unitsWithin(
  units: KnownUnits | null,
  { path, text, start }: { readonly path: string; readonly text: string; readonly start: number },
): KnownUnits | null {
  if (units === null) return null;
  return unitsOf(units, ({ offset }) => ({ path, text, offset: start + offset }));
}

/** The same units, with positions in what is around. */
export function unitsOf(units: KnownUnits, outside: (at: ReadPosition) => ReadPosition): KnownUnits {
  return {
    ...units,
    warn: (at, message) => units.warn(outside(at), message),
    read: (read) => units.read({ ...read, ...outside(read) }),
  };
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

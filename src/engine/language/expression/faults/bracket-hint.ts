import { CompileFault } from './compile-fault.js';
import { type KnownUnits, memberText } from '../known-units.js';

/** `outputs.` and as much after it as a unit's id can have; in CEL only its beginning may be a member's name. */
const MEMBER = /\b(outputs|errors)\.([\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*)/gu;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The fault, or one with a hint where the author may have meant a unit that must be read in brackets. */
export function withBracketHint(fault: CompileFault, source: string, units: KnownUnits | null): CompileFault {
  for (const { index, 0: text, 1: variable = '', 2: written = '' } of source.matchAll(MEMBER)) {
    if (fault.offset < index || index + text.length < fault.offset) continue;
    const id = units === null ? written : knownPart(written, units);
    if (id !== null && !IDENTIFIER.test(id)) {
      const problem = id.includes('-') ? 'is a subtraction' : 'is not one name';
      const said = `${variable}.${id.slice(0, 100)} ${problem} in an expression; ${advice(variable, id)}`;
      return new CompileFault(said, index);
    }
  }
  return fault;
}

/** The longest beginning of it that is a unit: `my-unit` of `my-unit.total`; null where none is. */
function knownPart(written: string, units: KnownUnits): string | null {
  for (let id = written; id !== ''; id = id.slice(0, Math.max(id.lastIndexOf('.'), id.lastIndexOf('-'), 0))) {
    if (units.has(id.normalize('NFC'))) return id;
  }
  return null;
}

/** The advice for a member that is missing in a run, when more of an id may follow it: `outputs.step-2`, `outputs.a.b`. */
export function bracketHint(source: string, missing: string): string | null {
  for (const [, variable = '', id = ''] of source.matchAll(MEMBER)) {
    if (id !== missing && (id.startsWith(`${missing}-`) || id.startsWith(`${missing}.`)))
      return advice(variable, id);
  }
  return null;
}

function advice(variable: string, id: string): string {
  return `a unit whose id is ${id.slice(0, 100)} is read as ${memberText(variable, id)}`;
}

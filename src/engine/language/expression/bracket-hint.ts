import { CompileFault } from './compile-fault.js';

/** `outputs.` and as much after it as a unit's id can have; in CEL only its beginning may be a member's name. */
const MEMBER = /\b(outputs|errors)\.([\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*)/gu;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The fault, with the advice to use brackets if it stands where the author may have meant a unit that needs them. */
export function withBracketHint(fault: CompileFault, source: string): CompileFault {
  for (const { index, 0: text, 1: variable = '', 2: id = '' } of source.matchAll(MEMBER)) {
    const isThere = index <= fault.offset && fault.offset <= index + text.length;
    if (isThere && !IDENTIFIER.test(id)) {
      return new CompileFault(`${fault.message}; ${advice(variable, id)}`, fault.offset);
    }
  }
  return fault;
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
  const shown = id.slice(0, 100);
  return `a unit whose id is ${shown} is read as ${variable}["${shown}"]`;
}

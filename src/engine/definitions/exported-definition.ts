import type { Plan } from '../core/plan/plan.js';
import { BUILTINS } from '../language/builtins.js';
import { NO_CEILINGS } from '../language/ceilings.js';
import type { Language } from '../language/language.js';
import type { DocumentJob } from './compile-document.js';
import type { Bindings } from './definition.js';

/** A definition as an export has it: without its endpoints. */
export interface ExportedDefinition {
  readonly yaml: string;
  /** How every name that is no built-in was resolved; the hash depends on it. */
  readonly uses: Readonly<Record<string, 'http' | 'in-process'>>;
}

export function usesOf({ units }: Plan, bindings: Bindings): ExportedDefinition['uses'] {
  const names = new Set([...units.values()].map(({ uses }) => uses).filter((uses) => !BUILTINS.has(uses)));
  return Object.fromEntries([...names].map((name) => [name, bindings.has(name) ? 'http' : 'in-process']));
}

/** The job for a document that was accepted once, elsewhere. */
export function jobOfExported(
  { yaml, uses }: ExportedDefinition,
  apiGroups: readonly string[],
  language: Language,
): DocumentJob {
  return {
    yaml,
    apiGroups,
    language,
    ceilings: NO_CEILINGS,
    bound: Object.keys(uses).filter((name) => uses[name] === 'http'),
    inProcess: null,
    wasAccepted: true,
    acceptedAs: null,
  };
}

import type { JsonObject, JsonValue } from '../../../clients/typescript/src/types/json.js';
import { NO_NAMES, type KnownNames } from './known-names.js';

/** More are not offered: nobody looks through them. */
const MOST_NAMES = 2_000;

/** The names that a document declares. */
export function namesOf(document: JsonValue): KnownNames {
  const spec = objectOf(objectOf(document)?.['spec']);
  if (spec === null) return NO_NAMES;
  const given = spec['units'];
  const units = (Array.isArray(given) ? given.slice(0, MOST_NAMES) : []).map(objectOf);
  return {
    unitIds: texts(units.map((unit) => unit?.['id'])),
    uses: texts(units.map((unit) => unit?.['uses'])),
    vars: Object.keys(objectOf(spec['vars']) ?? {}),
    inputKeys: Object.keys(objectOf(objectOf(spec['input'])?.['properties']) ?? {}).slice(0, MOST_NAMES),
  };
}

/** The names that a text seems to declare, while it is no YAML: of a line that is being written much is missing. */
export function namesIn(text: string): KnownNames {
  const found = (pattern: RegExp): readonly string[] =>
    [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].slice(0, MOST_NAMES);
  return {
    ...NO_NAMES,
    unitIds: found(/(?<=^[ \t]*- (?:\{ ?)?)id:[ \t]*["']?([\w.-]{1,256})/gm),
    uses: found(/(?<=^[ \t]*(?:- )?|[{,] ?)uses:[ \t]*["']?([\w./-]{1,256})/gm),
  };
}

function texts(values: readonly (JsonValue | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))];
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

import { BUILTINS } from '../../../../src/engine/language/builtins.js';
import { expressionSuggestions } from './expression-suggestions.js';
import type { KnownNames } from '../../documents/known-names.js';
import type { Suggestion, Suggestions } from './suggestion.js';
import { mappingIn, scalarIn, schemaAt, type ResolvedSchema, type Schema } from './schema-walk.js';
import type { Frame, YamlPlace } from './yaml-place.js';
import { asScalar } from './yaml-scalar.js';

interface Known {
  /** The published schema of the language. */
  readonly root: Schema;
  readonly names: KnownNames;
  /** What stands between an offset and the position. */
  readonly textFrom: (from: number) => string;
}

/** What could be written at a place. */
export function suggestionsAt(
  place: YamlPlace,
  position: number,
  { root, names, textFrom }: Known,
): Suggestions {
  if (place.expression !== null) return expressionSuggestions(place.expression, position, names);
  if (place.at === 'nothing') return { from: position, options: [] };
  const { frames, from } = place;
  if (place.at === 'key') return { from, options: keySuggestions(place, root, names) };
  const node = schemaAt(root, frames);
  if (node === null) return { from, options: [] };
  const scalar = scalarIn(node, root);
  if (scalar.definitions.includes('expression'))
    return expressionSuggestions(textFrom(from), position, names);
  const values = valueSuggestions(scalar, frames, names);
  const begun: YamlPlace = {
    ...place,
    at: 'key',
    frames: [...frames, { kind: 'map', key: null, entries: new Map() }],
  };
  const keys = place.at === 'item' && !place.isFlow ? keySuggestions(begun, root, names) : [];
  return { from, options: [...values, ...keys] };
}

/** What the schema says of the key that is written at a place, or whose value is. Null: it knows none. */
export function descriptionAt(
  { frames }: YamlPlace,
  root: Schema,
): { readonly key: string; readonly text: string } | null {
  const last = frames.at(-1);
  const key = last?.kind === 'map' ? last.key : null;
  const node = key === null ? null : schemaAt(root, frames);
  const text = node === null ? '' : descriptionOf(node);
  return key === null || text === '' ? null : { key, text };
}

function keySuggestions({ frames }: YamlPlace, root: Schema, names: KnownNames): readonly Suggestion[] {
  const inner = frames.at(-1);
  if (inner?.kind !== 'map') return [];
  const { entries } = inner;
  const node = schemaAt(root, frames.slice(0, -1));
  const mapping = node === null ? null : mappingIn(node, root, entries);
  const required = new Set(mapping?.required);
  const known = Object.entries(mapping?.properties ?? {}).map(([key, schema]): Suggestion => {
    const of = schemaAt(root, [...frames.slice(0, -1), { kind: 'map', key, entries }]);
    return {
      label: key,
      kind: 'key',
      detail: required.has(key) ? 'required' : '',
      info: descriptionOf(of ?? { ...schema, definitions: [] }),
      insert: key,
      opens: opens(of),
    };
  });
  const ids = mapping?.propertyNames?.$ref === '#/$defs/unitId' ? names.unitIds : [];
  const free = [...ids, ...settingsOf(frames)].map((label): Suggestion => {
    return { label, kind: 'key', detail: '', info: '', insert: asScalar(label), opens: 'value' };
  });
  return [...known, ...free].filter(({ label }) => !entries.has(label));
}

/** The settings of a unit of the service: they are in its `config`, of which the schema knows nothing. */
function settingsOf(frames: readonly Frame[]): readonly string[] {
  const [unit, settings] = frames.slice(-2);
  if (unit?.kind !== 'map' || settings?.kind !== 'map') return [];
  const builtin = BUILTINS.get(unit.entries.get('uses') ?? '');
  if (builtin === undefined) return [];
  const takes = unit.key === 'config' || (unit.key === 'with' && builtin.withIsSettings);
  return takes ? Object.keys(builtin.settings) : [];
}

function valueSuggestions(
  scalar: ResolvedSchema,
  frames: readonly Frame[],
  names: KnownNames,
): readonly Suggestion[] {
  const last = frames.at(-1);
  const key = last?.kind === 'map' ? last.key : null;
  if (key === 'uses')
    return [...new Set([...names.uses, ...BUILTINS.keys()])].map((uses) =>
      named(uses, uses.startsWith('builtin.') ? 'of the service' : ''),
    );
  // The id of a unit is declared there: all that are known are taken.
  if (scalar.definitions.includes('unitId'))
    return key === 'id' ? [] : names.unitIds.map((id) => named(id, 'unit'));
  const allowed = scalar.enum ?? (scalar.const === undefined ? [] : [scalar.const]);
  const values = allowed.length === 0 && scalar.type === 'boolean' ? [true, false] : allowed;
  return values.map((value) => ({
    label: String(value),
    kind: 'value',
    detail: value === scalar.default ? 'default' : '',
    info: '',
    insert: String(value),
  }));
}

function named(name: string, detail: string): Suggestion {
  return { label: name, kind: 'name', detail, info: '', insert: asScalar(name) };
}

function descriptionOf({ title = '', description = '' }: ResolvedSchema): string {
  return description === '' ? title : description;
}

function opens(node: ResolvedSchema | null): NonNullable<Suggestion['opens']> {
  if (node?.type === 'array') return 'list';
  const isMapping = node?.type === 'object' || node?.definitions.includes('flow') === true;
  return isMapping ? 'map' : 'value';
}

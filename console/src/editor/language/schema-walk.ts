import type { Frame } from './yaml-place.js';

/** As much of JSON Schema as the published schema of the language is made of. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly allOf?: readonly Schema[];
}

/** A schema without references, and the definitions that led to it. */
export interface ResolvedSchema extends Schema {
  readonly definitions: readonly string[];
}

/** More would be a circle. */
const MOST_REFERENCES = 8;
const REFERENCE = '#/$defs/';

/** What the schema says of a key, or of the scalar, at which the frames end; null: nothing. */
export function schemaAt(root: Schema, frames: readonly Frame[]): ResolvedSchema | null {
  let node: ResolvedSchema | null = resolved(root, root);
  for (const frame of frames) {
    if (node === null) return null;
    const inside: Schema | undefined =
      frame.kind === 'list'
        ? listIn(node, root).items
        : frame.key === null
          ? mappingIn(node, root, frame.entries)
          : fieldOf(mappingIn(node, root, frame.entries), frame.key);
    node = inside === undefined ? null : resolved(inside, root);
  }
  return node;
}

/** What a scalar has to be where it stands for a node that may also be a mapping. */
export function scalarIn(node: ResolvedSchema, root: Schema): ResolvedSchema {
  return node.if?.type === 'string' && node.then !== undefined ? resolved(node.then, root) : node;
}

/** What a mapping has to be: of a flow, what its `type` says. */
export function mappingIn(
  node: ResolvedSchema,
  root: Schema,
  entries: ReadonlyMap<string, string>,
): ResolvedSchema {
  const other = node.if?.type === 'string' && node.else !== undefined ? resolved(node.else, root) : node;
  const mapping =
    other.if?.type === 'object' && other.then !== undefined ? resolved(other.then, root) : other;
  const type = entries.get('type');
  const chosen = mapping.allOf?.find((one) => one.if?.properties?.['type']?.const === type);
  return type === undefined || chosen?.then === undefined ? mapping : resolved(chosen.then, root);
}

function listIn(node: ResolvedSchema, root: Schema): ResolvedSchema {
  return node.if?.type === 'string' && node.else !== undefined ? resolved(node.else, root) : node;
}

function fieldOf({ properties, additionalProperties }: Schema, key: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** What stands next to a reference is said of this use, and takes precedence. */
function resolved(schema: Schema, root: Schema): ResolvedSchema {
  let node: Schema = schema;
  const definitions: string[] = [];
  while (node.$ref?.startsWith(REFERENCE) === true && definitions.length < MOST_REFERENCES) {
    const { $ref, ...own } = node;
    const name = $ref.slice(REFERENCE.length);
    definitions.push(name);
    node = { ...root.$defs?.[name], ...own };
  }
  return { ...node, definitions };
}

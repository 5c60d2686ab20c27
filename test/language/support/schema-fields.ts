import { readFileSync } from 'node:fs';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface SchemaField {
  /** Such as `metadata.id`, `unit.uses`, `policy.retry.jitter`, `switch.cases[].if`. */
  readonly path: string;
  readonly isRequired: boolean;
  /** The default as the page writes it; null without one. */
  readonly default: string | null;
  readonly bound: string | null;
}

const root = JSON.parse(
  readFileSync(new URL('../../../schemas/workflow.v1.schema.json', import.meta.url), 'utf8'),
) as Schema & { readonly $defs: Readonly<Record<string, Schema>> };

export const flowTypes = [
  'sequential',
  'parallel',
  'router',
  'switch',
  'loop',
  'foreach',
  'dag',
  'delegation',
  'try',
  'race',
];

/** Definitions that are documented under their own name, wherever they stand. */
const OWN_NAME = new Set(['unit', 'flow', 'policy']);

/** Every field of the published schema. */
export const schemaFields: readonly SchemaField[] = [
  ...fieldsOf(root, ''),
  ...['unit', 'policy', ...flowTypes].flatMap((name) => fieldsOf(definition(name), `${name}.`)),
];

function fieldsOf(schema: Schema, prefix: string): SchemaField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const path = `${prefix}${name}`;
    const field = resolved(given);
    const own: SchemaField = {
      path,
      isRequired: schema.required?.includes(name) === true,
      default: field.default === undefined ? null : `\`${String(field.default)}\``,
      bound: boundOf(field),
    };
    const inside = isNamedElsewhere(given) ? [] : fieldsOf(field, `${path}.`);
    const items =
      field.items === undefined || isNamedElsewhere(field.items)
        ? []
        : fieldsOf(resolved(field.items), `${path}[].`);
    return [own, ...inside, ...items];
  });
}

function boundOf(field: Schema): string | null {
  if (field.enum !== undefined) return field.enum.map((value) => `\`${value}\``).join(', ');
  if (field.maximum !== undefined) return `${field.minimum} to ${field.maximum}`;
  const [least, most, what] = [
    [field.minLength, field.maxLength, 'characters'] as const,
    [field.minItems ?? field.minProperties, field.maxItems ?? field.maxProperties, 'entries'] as const,
  ].find(([, max]) => max !== undefined) ?? [undefined, undefined, ''];
  if (most === undefined) return null;
  return least === undefined ? `at most ${most} ${what}` : `${least} to ${most} ${what}`;
}

function isNamedElsewhere({ $ref }: Schema): boolean {
  return $ref !== undefined && OWN_NAME.has($ref.replace('#/$defs/', ''));
}

/** A reference merged with what stands next to it, which wins. */
function resolved(schema: Schema): Schema {
  return schema.$ref === undefined
    ? schema
    : { ...resolved(definition(schema.$ref.replace('#/$defs/', ''))), ...schema };
}

function definition(name: string): Schema {
  const found = root.$defs[name];
  if (found === undefined) throw new Error(`The schema has no ${name}.`);
  return found;
}

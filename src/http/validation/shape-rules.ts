import { getMetadataStorage, ValidationTypes } from './class-validator.js';

/** One rule of a field, as its decorator declared it: class-validator's own check, with its arguments. */
type Rule = (value: unknown, dto: object) => boolean;

interface FieldRules {
  readonly field: string;
  /** Whether the field is checked at all, as `IsOptional` determines. */
  readonly conditions: Rule[];
  readonly rules: Rule[];
}

export interface ShapeRules {
  /** Every field that the DTO declares, in order. */
  readonly fields: readonly string[];
  /** Whether a DTO certainly fits. Where that is false or cannot be determined here, class-validator names the faults. */
  fits(dto: object): boolean;
}

/**
 * The rules of a DTO, gathered once: class-validator itself groups and filters its metadata for every value that it
 * validates, and makes an error per field before it checks anything. If a rule is of a kind that is not understood
 * here, every value is left to class-validator.
 */
export function rulesOf(shape: new () => object): ShapeRules {
  const storage = getMetadataStorage();
  const declared = storage.getTargetValidationMetadatas(shape, '', false, false);
  const byField = new Map<string, FieldRules>();
  let isUnderstood = true;
  for (const metadata of declared) {
    const { type, propertyName: field, constraints, constraintCls } = metadata;
    const { conditions, rules } = rulesOfField(byField, field);
    if (type === ValidationTypes.WHITELIST) continue;
    if (type === ValidationTypes.CONDITIONAL_VALIDATION) {
      const [condition] = constraints as [(dto: object, value: unknown) => boolean];
      conditions.push((value, dto) => condition(dto, value));
    } else if (type !== ValidationTypes.CUSTOM_VALIDATION || metadata.each || metadata.validateIf) {
      isUnderstood = false;
    } else {
      for (const { instance, async } of storage.getTargetValidatorConstraints(constraintCls)) {
        if (async) isUnderstood = false;
        const about = { targetName: shape.name, property: field, constraints };
        rules.push((value, object) => instance.validate(value, { ...about, object, value }) === true);
      }
    }
  }
  const fields = [...byField.values()];
  return {
    fields: [...byField.keys()],
    fits: (dto) => isUnderstood && fields.every((field) => fitsField(field, dto)),
  };
}

function rulesOfField(byField: Map<string, FieldRules>, field: string): FieldRules {
  const known = byField.get(field);
  if (known !== undefined) return known;
  const created: FieldRules = { field, conditions: [], rules: [] };
  byField.set(field, created);
  return created;
}

function fitsField({ field, conditions, rules }: FieldRules, dto: object): boolean {
  const value = (dto as Readonly<Record<string, unknown>>)[field];
  if (!conditions.every((applies) => applies(value, dto))) return true;
  return rules.every((holds) => holds(value, dto));
}

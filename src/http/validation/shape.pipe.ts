import { Validator } from './class-validator.js';
import { InvalidRequestError, type RequestFault } from '../../errors/request-errors.js';
import { fieldKind, type RequestContext } from '../identity/request-context.js';
import { nearMisses } from './near-misses.js';
import { nestedShapeOf } from './nested-shape.js';
import { refusedFields, type RefuseField } from './refused-fields.js';
import { rulesOf, type ShapeRules } from './shape-rules.js';

/**
 * Checks a value as it came against a DTO, and returns the DTO with the fields that it declares: null counts as
 * absent, other fields are ignored unless they are near misses of a known one, nothing is converted, and the content
 * of a field is passed on untouched. A field that is an object of a class (`IsObject` and `Type`) is checked in the
 * same way against that class; the items of a list are not looked into. A value that does not fit is an
 * `InvalidRequestError` that names every fault.
 *
 * Services apply it, not the router: what the interface names (unknown workflow, unknown run) is checked before the
 * shape, and the same check serves HTTP and MCP.
 */
export class ShapePipe<T extends object> {
  private readonly rules: ShapeRules;
  private readonly within: readonly (readonly [field: string, pipe: ShapePipe<object>])[];

  /**
   * `alone` is the field whose fault is the whole message, because the interface fixes its words; `refuse` says what is
   * wrong with a field that the DTO does not declare, null: nothing.
   */
  constructor(
    private readonly shape: new () => T,
    private readonly alone: (keyof T & string) | null = null,
    private readonly refuse: RefuseField | null = null,
  ) {
    this.rules = rulesOf(shape);
    this.within = this.rules.fields.flatMap((field) => {
      const nested = nestedShapeOf(shape, field);
      return nested?.holds === 'one' ? [[field, new ShapePipe(nested.shape)] as const] : [];
    });
  }

  transform(value: unknown, { via, alreadyRead = [] }: Pick<RequestContext, 'via' | 'alreadyRead'>): T {
    if (!isObject(value)) throw new InvalidRequestError('The body must be a JSON object');
    const { dto, misses, faults } = this.read(value, fieldKind(via), alreadyRead);
    if (faults.length === 0) return dto;
    const alone = faults.find(({ path }) => path === this.alone);
    if (alone === undefined) throw InvalidRequestError.naming(faults);
    const detail = misses.map(({ message }) => message).join('\n');
    throw new InvalidRequestError(alone.message, { details: faults, ...(detail === '' ? {} : { detail }) });
  }

  /** The fields that the pipe reads. */
  get fields(): readonly string[] {
    return this.rules.fields;
  }

  /** `misses` are among the `faults`. */
  private read(value: object, kind: string, alreadyRead: readonly string[]): Reading<T> {
    const dto = new this.shape();
    const own = dto as Record<string, unknown>;
    const { fields } = this.rules;
    for (const field of fields) {
      const given: unknown = Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : null;
      if (given !== null && given !== undefined) own[field] = given;
    }
    const known = alreadyRead.length === 0 ? fields : [...fields, ...alreadyRead];
    const near = nearMisses(value, known, kind);
    const misses =
      this.refuse === null ? near : [...near, ...refusedFields(value, { known, named: near }, this.refuse)];
    const deeper = this.within.flatMap(([field, pipe]) => {
      const given = own[field];
      if (!isObject(given)) return [];
      const { dto: nested, faults } = pipe.read(given, `field of ${field}`, []);
      own[field] = nested;
      return faults.map(({ path, message }) => ({ path: `${field}.${path}`, message }));
    });
    if (misses.length === 0 && deeper.length === 0 && this.rules.fits(dto))
      return { dto, misses, faults: [] };
    return { dto, misses, faults: [...faultsOf(dto), ...deeper, ...misses] };
  }
}

interface Reading<T> {
  readonly dto: T;
  readonly misses: readonly RequestFault[];
  readonly faults: readonly RequestFault[];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function faultsOf(dto: object): readonly RequestFault[] {
  return new Validator()
    .validateSync(dto, { stopAtFirstError: true })
    .map(({ property, constraints = {} }) => ({
      path: property,
      message: Object.values(constraints)[0] ?? `${property} is not valid`,
    }));
}

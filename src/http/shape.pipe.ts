import type { PipeTransform } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';
import { InvalidRequestError } from '../errors/request-errors.js';

/**
 * Checks a value as it came against a DTO, and gives the DTO with the fields that it declares: null counts as
 * absent, other fields are ignored, nothing is converted, and what a field holds is handed on untouched. A
 * value that does not fit is an `InvalidRequestError` that lists every fault.
 *
 * Services apply it, not the router: what the interface names (unknown workflow, unknown run) is checked before
 * the shape, and the same check serves HTTP and MCP.
 */
export class ShapePipe<T extends object> implements PipeTransform<unknown, T> {
  private readonly fields: readonly string[];

  constructor(private readonly shape: new () => T) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
    this.fields = [...new Set(rules.map(({ propertyName }) => propertyName))];
  }

  transform(value: unknown): T {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidRequestError('The body must be a JSON object');
    }
    const dto = new this.shape();
    for (const field of this.fields) {
      const given: unknown = Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : null;
      if (given !== null && given !== undefined) (dto as Record<string, unknown>)[field] = given;
    }
    const faults = validateSync(dto, { stopAtFirstError: true });
    if (faults.length === 0) return dto;
    const details = faults.map(({ property, constraints = {} }) => ({
      path: property,
      message: Object.values(constraints)[0] ?? `${property} is not valid`,
    }));
    throw new InvalidRequestError(details[0]?.message ?? 'The body is not valid', details);
  }
}

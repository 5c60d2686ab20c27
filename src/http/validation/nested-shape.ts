// oxlint-disable-next-line typescript/triple-slash-reference -- a program that takes in the sources has no other way to it
/// <reference path="./validator-files.d.ts" />
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from './class-validator.js';

type Shape = new () => object;

export interface NestedShape {
  readonly shape: Shape;
  /** One such object (`IsObject`), a list of them (`IsArray`), or an object of them, by name. */
  readonly holds: 'one' | 'list' | 'by-name';
}

/** The class that class-transformer's `Type` names for a field of a DTO; null: it names none. */
export function nestedShapeOf(shape: Shape, field: string): NestedShape | null {
  const metadata = defaultMetadataStorage.findTypeMetadata(shape, field);
  if (metadata === undefined) return null;
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
  const isRule = (rule: string): boolean =>
    rules.some(({ propertyName, name }) => propertyName === field && name === rule);
  const holds = isRule('isObject') ? 'one' : isRule('isArray') ? 'list' : 'by-name';
  return { shape: metadata.typeFunction() as Shape, holds };
}

// oxlint-disable-next-line typescript/triple-slash-reference -- a program that takes in the sources has no other way to it
/// <reference path="./validator-files.d.ts" />
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from './class-validator.js';

type Shape = new () => object;

export interface NestedShape {
  readonly shape: Shape;
  /** Whether the field holds one such object (`IsObject`), or an object of them, by name. */
  readonly isOne: boolean;
}

/** The class that class-transformer's `Type` names for a field of a DTO; null: it names none. */
export function nestedShapeOf(shape: Shape, field: string): NestedShape | null {
  const metadata = defaultMetadataStorage.findTypeMetadata(shape, field);
  if (metadata === undefined) return null;
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
  const isOne = rules.some(({ propertyName, name }) => propertyName === field && name === 'isObject');
  return { shape: metadata.typeFunction() as Shape, isOne };
}

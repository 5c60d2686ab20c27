import { SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** What one of our decorators declares for a class or method. */
export interface Declaration<T> {
  readonly value: T;
  /** The class that was decorated; classes that extend it are not decorated themselves. Null: a method was decorated. */
  readonly owner: object | null;
}

const reflector = new Reflector();

/**
 * One kind of declaration, kept where Nest keeps the metadata of its own decorators, so that a decorator that wraps a
 * method and copies its metadata copies these declarations, too.
 */
export class Declarations<T> {
  constructor(private readonly key: string) {}

  onClass(owner: object, value: T): void {
    const others = this.of(owner).filter((other) => other.owner === owner);
    SetMetadata(this.key, [...others, { value, owner }])(owner as NewableFunction & (new () => unknown));
  }

  onMethod(prototype: object, name: string | symbol, descriptor: PropertyDescriptor, value: T): void {
    const others = this.of(descriptor.value);
    SetMetadata(this.key, [...others, { value, owner: null }])(prototype, name, descriptor);
  }

  /**
   * The declarations of that class, or of the function that is a method, in the order in which the decorators were
   * applied.
   */
  of(target: unknown): readonly Declaration<T>[] {
    if (typeof target !== 'function') return [];
    return reflector.get<readonly Declaration<T>[] | undefined>(this.key, target as () => unknown) ?? [];
  }
}

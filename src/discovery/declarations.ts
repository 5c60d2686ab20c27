import { SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** What a decorator of ours says of one class or method. */
export interface Declaration<T> {
  readonly value: T;
  /** The class that it stands on; a class that extends it did not say so itself. Null: it stands on a method. */
  readonly owner: object | null;
}

const reflector = new Reflector();

/**
 * One kind of declaration, kept where Nest keeps what its own decorators say: a decorator that wraps a method and takes
 * its metadata along takes these along, too.
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

  /** What was said of that class, or of the function that is a method, in the order of writing from below. */
  of(target: unknown): readonly Declaration<T>[] {
    if (typeof target !== 'function') return [];
    return reflector.get<readonly Declaration<T>[] | undefined>(this.key, target as () => unknown) ?? [];
  }
}

import type { DynamicModule, Type } from '@nestjs/common';

/** The parts of a feature of one instance. */
export interface Feature {
  readonly imports: readonly DynamicModule[];
  /** The controllers whose paths are switched on. */
  readonly controllers: readonly Type[];
}

/**
 * A module of ours for one instance, with a class of its own: Nest keeps the prefix of routes by class, and two
 * instances of one class would overwrite each other's.
 */
export function featureOf(base: Type, { imports, controllers }: Feature): DynamicModule {
  const own = class extends base {};
  // The host's log shows this name at the start.
  Object.defineProperty(own, 'name', { value: base.name });
  return { module: own, imports: [...imports], controllers: [...controllers] };
}
